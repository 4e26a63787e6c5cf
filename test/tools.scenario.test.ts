import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import type { Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn } from './support/stories/transcript';

// Tools that fail, and tools with effects: nothing is done twice, nothing is hidden from the model.

describe('tools', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([vigil?.stop(), party?.stop()]));

  async function run(reply: Reply) {
    vigil.model.script([reply, { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Go');
    return { ...(await nudgeToEnd(vigil, id)), results: resultsIn(vigil) };
  }

  test('calls of one reply run in parallel, each as it goes; the model reads their results in call order (R5, R21, R22, R23, R24, R27, R28, R94, R108, R111)', async () => {
    // Its process dies before its answer is heard: it is invoked again, and the effect exists once.
    await vigil.fault({ function: 'Hit', kind: 'crash', at: 'after', times: 1 });
    const at = new Date((await vigil.now()).getTime() + 1_200_000).toISOString();
    const misbehave = (way: string) => ['misbehave', { way }] as const;
    const calls = [
      misbehave('none'),
      misbehave('tell'),
      misbehave('throw twice'),
      misbehave('throw'),
      misbehave('wrong result'),
      ['hit', { url: party.url }],
      ['hit_once', { url: 'http://127.0.0.1:9' }],
      ['schedule', { at }],
      ['nonsense', {}],
    ] as const;
    const ended = await run({
      toolCalls: calls.map(([name, given], index) => ({ id: `c${index}`, name, arguments: given })),
    });
    expect(ended.results).toEqual([
      '{"attempt":1}',
      'Error: The page does not exist (404).',
      '{"attempt":3}',
      'Error: The attempt failed: Error.',
      expect.stringMatching(/^Error: The tool ran, but its result does not fit its output schema: attempt: /),
      '{"hits":1}',
      expect.stringMatching(
        /^Outcome unknown: .*Whether it took effect is unknown: check with check_hits before you try again\.$/,
      ),
      expect.stringMatching(/^The time has come/),
      expect.stringMatching(/^Error: There is no tool "nonsense"/),
    ]);
    expect(ended.status).toBe('done');
    expect(ended.calls.slice(0, 7).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['completed', 1],
      ['failed', 1],
      ['completed', 3],
      ['failed', 3],
      ['failed', 1],
      ['completed', 1],
      ['unknown', 1],
    ]);
    expect(party.effects).toBe(1);
    // What verifies an unknown outcome comes with its tool.
    expect(JSON.stringify(vigil.model.requests.at(-1)!.tools)).toContain('"check_hits"');
    const states = await vigil.states(ended.run!.id);
    expect(states.slice(0, 3)).toEqual(stepsTo('RunTools'));
    // Seven calls at the same time, of which a catcher takes one; then what waits is slept; the one that nobody knows needs no state.
    expect(states.indexOf('CallModel', 1)).toBeLessThanOrEqual(3 + 2 * 7 + 1);
    expect(states.slice(states.indexOf('CallModel', 1))).toEqual(stepsTo('Sleep', 'Done'));
  });

  test('one that hangs is stopped at its timeout, and the model is told', async () => {
    const { status, calls, results, run: ended } = await run(call('c', 'hang', {}));
    expect(status).toBe('done');
    expect(calls).toMatchObject([{ status: 'failed' }]);
    // On a busy machine an attempt may be stopped before it counts as one; the execution has seen all three.
    const failures = (await vigil.history(ended!.id)).filter(({ type }) => /^Task(Failed|TimedOut)$/.test(type!));
    expect(failures).toHaveLength(3);
    expect(results[0]).toMatch(/^Error: .*(too long|timed out)/i);
  });
});
