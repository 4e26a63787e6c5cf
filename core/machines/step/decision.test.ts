import { defineAgent } from '../../conversations/agent/agent';
import { refusedBy } from './decision';

describe('what a review returns is checked (R193)', () => {
  const proposal = { text: '', calls: [{ tool: 'pay', arguments: {} }], user: 'ada', items: [] };
  const reviewed = (review: unknown) =>
    refusedBy(
      defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [], review: review as never }),
      proposal,
    );

  test('a Map of calls, with reasons, at once or later', async () => {
    expect(await reviewed(undefined)).toEqual(new Map());
    expect(await reviewed(() => new Map())).toEqual(new Map());
    expect(await reviewed(async () => new Map([[0, 'too much']]))).toEqual(new Map([[0, 'too much']]));
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a list', ['too much']],
    ['an object', { 0: 'too much' }],
    ['a text for an index', new Map([['0', 'too much']])],
    ['the index of no call', new Map([[1, 'too much']])],
    ['no reason', new Map([[0, undefined]])],
  ])('not %s: it would refuse nothing', async (_, returned) => {
    await expect(reviewed(async () => returned)).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(/^agent a: review: the function must return a Map/),
    });
  });

  test('what it throws, at once or later, is the error of the run', async () => {
    for (const review of [
      () => {
        throw 'no words';
      },
      () => Promise.reject(undefined),
      async () => Promise.reject(new Error('down')),
    ])
      await expect(reviewed(review)).rejects.toBeInstanceOf(Error);
  });
});
