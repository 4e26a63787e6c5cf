import { startAnthropic } from '../../test/support/servers/anthropic-server';
import { startModelServer } from '../../test/support/servers/model-server';
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

  test('reports models that are not in their provider’s list, with one request each', async () => {
    const [server, anthropic] = await Promise.all([startModelServer(), startAnthropic()]);
    const baseUrlVariable = 'CLAUDE_BASE_URL';
    const provider = { name: 'claude', kind: 'anthropic', key: 'CLAUDE_API_KEY', baseUrlVariable } as const;
    const claude = (name: string): AskedModel => ({ name, agents: ['d'], provider });
    const models = [old, scripted, ...['claude-sonnet-5-5', 'claude-haiku-4-5', 'claude-2'].map(claude)];
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${server.url}/`, CLAUDE_BASE_URL: anthropic.url };
    const ofOwn = 'The provider does not list the model old, which is used by a, b.';
    expect(await unlisted(models, env)).toEqual([ofOwn]);
    expect(await unlisted(models, { ...env, CLAUDE_API_KEY: 'k' })).toEqual([
      ofOwn,
      'The provider claude does not list the model claude-2, which is used by d.',
    ]);
    await Promise.all([server.stop(), anthropic.stop()]);
    expect(await unlisted(models, { ...env, CLAUDE_API_KEY: 'k' })).toEqual([]);
  });
});
