import * as z from 'zod';
import { defineAgent, refusedBy } from './agent';
import { typedAnswer } from './typed-answer';

const Place = z.object({ city: z.string() });
const json = '{"city":"Rome"}';

test.each([
  json,
  ` ${json}\n`,
  `\`\`\`json\n${json}\n\`\`\``,
  `Here you are:\n\n\`\`\`json\n${json}\n\`\`\`\n\nAnything else?`,
  `\`\`\`\n${json}\n\`\`\` is it.`,
  `First {"city": 1}:\n\`\`\`json\n{"city":"Oslo"}\n\`\`\`\nNo, rather:\n\`\`\`json\n${json}\n\`\`\``,
  `The answer is ${json}.`,
  '{"city":"Rome"} Bye.',
])('a typed answer is found in %j (R189)', (text) => {
  expect(typedAnswer(Place, text)).toEqual({ result: { city: 'Rome' } });
});

test.each([
  ['Rome', 'it is not JSON'],
  ['', 'it is not JSON'],
  ['{"city":', 'it is not JSON'],
  ['} {', 'it is not JSON'],
  ['```json\n[1]\n```', 'the object'],
])('%j has none', (text, problem) => {
  expect(typedAnswer(Place, text)).toEqual({ problem: expect.stringContaining(problem) });
});

const more = ' has more digits than a number keeps: send it as text';
test.each([
  ['digits that a number does not keep', '{"id":9007199254740993}', `id: 9007199254740993${more}`],
  ['them between sentences', 'It is {"id":9007199254740993}.', `id: 9007199254740993${more}`],
  ['them in a fenced block', '```json\n{"id":1e400}\n```', `id: 1e400${more}`],
  ['150,000 levels', `{"id":${'['.repeat(150_000)}${']'.repeat(150_000)}}`, 'may not be nested deeper than 100 levels'],
  ['no field but the one that all objects have', '{"__proto__":{"id":1}}', 'id: '],
])('a typed answer with %s is told to the model, and none is guessed (R189, R192)', (_, text, problem) => {
  expect(typedAnswer(z.object({ id: z.number() }), text)).toEqual({ problem: expect.stringContaining(problem) });
});

test('half a character in a typed answer is replaced, and a schema that throws is told (R191, R192)', () => {
  expect(typedAnswer(Place, '{"city":"Rome\\ud83d"}')).toEqual({ result: { city: 'Rome\ufffd' } });
  const throwing = z.object({ city: z.string() }).refine(() => {
    throw new Error('connect postgres://u:pw@db');
  });
  expect(typedAnswer(throwing, json)).toEqual({ problem: 'it cannot be checked: The attempt failed: Error.' });
});

test('a long reply of signs that begin blocks is read in a moment (R196)', () => {
  for (const sign of ['`', '``` ', '```a ', '{', '```\n{', ' '])
    expect(typedAnswer(Place, `\`\`\`${sign.repeat(200_000)}`)).toEqual({ problem: 'it is not JSON' });
});

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
