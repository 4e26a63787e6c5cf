import { type ModelServer, startModelServer } from '../../test/support/servers/model-server';
import type { AskedModel } from '../template/template';
import { endings, unlisted } from './model-notices';

const old: AskedModel = { name: 'old', agents: ['a', 'b'], ends: { on: '2030-03-01', instead: 'new' } };
const scripted: AskedModel = { name: 'scripted', agents: ['c'] };

describe('models that end or are not listed (R137)', () => {
  test.each([
    ['2029-12-30', []],
    ['2030-01-01', ['The model old (a, b) is shut down on 2030-03-01. Its provider recommends new instead.']],
    ['2030-03-02', ['The model old (a, b) was shut down on 2030-03-01. Its provider recommends new instead.']],
  ])('on %s', (day, lines) => {
    expect(endings([old, scripted], new Date(`${day}T12:00:00Z`))).toEqual(lines);
  });

  test('reports models that are not in the provider’s list, with one request', async () => {
    const server: ModelServer = await startModelServer();
    expect(await unlisted([old, scripted], { key: 'k', baseUrl: `${server.url}/` })).toEqual([
      'The provider does not list the model old, which is used by a, b.',
    ]);
    await server.stop();
    expect(await unlisted([old], { key: 'k', baseUrl: server.url })).toEqual([]);
  });
});
