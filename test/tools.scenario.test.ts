import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { longTest, someOf } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// Tools that fail, and tools with effects: nothing is done twice, nothing is hidden from the model.

describe('tools', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([vigil?.stop(), party?.stop()]));
  beforeEach(() => {
    party.requests.length = 0;
  });

  async function run(reply: Reply) {
    vigil.model.script([reply, { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Go');
    const ended = await nudgeToEnd(vigil, id);
    return { ...ended, results: resultsIn(vigil.model.requests.at(-1)!) };
  }
  const resultsIn = ({ messages }: ChatRequest) =>
    messages.flatMap((message) => (message.role === 'tool' ? [String(message.content)] : []));
  /** An attempt that is at work while the clock is moved may time out. */
  const retries = async (runId: string) =>
    (await vigil.history(runId)).filter(({ type }) => type === 'TaskFailed' || type === 'TaskTimedOut').length;

  test('one that throws twice is tried again under one identity, and the model hears of its success only (R22)', async () => {
    const { calls, results, run: ended } = await run(call('c', 'misbehave', { way: 'throw twice' }));
    expect(calls).toMatchObject([{ status: 'completed', attempts: 3, result: { attempt: 3 } }]);
    expect(results).toEqual(['{"attempt":3}']);
    expect(await retries(ended!.id)).toEqual(2);
  });

  test('one that throws to the end is an error result, and the run goes on (R23)', async () => {
    const { status, calls, results } = await run(call('c', 'misbehave', { way: 'throw' }));
    expect(status).toBe('done');
    expect(calls).toMatchObject([{ status: 'failed', attempts: 3 }]);
    expect(results).toEqual(['Error: The attempt failed: Error.']);
  });

  test('an expected failure is told to the model at once, without a retry (R21, R24)', async () => {
    const { calls, results } = await run(call('c', 'misbehave', { way: 'tell' }));
    expect(calls).toMatchObject([{ status: 'failed', attempts: 1 }]);
    expect(results).toEqual(['Error: The page does not exist (404).']);
  });

  test.each(
    someOf([
      ['terminal', 'This account is closed for good.'],
      ['configuration', 'The secret for this tool is empty.'],
    ] as const),
  )('a %s error ends the run with its reason, without a retry (R24)', async (way, reason) => {
    const { run: ended, calls } = await run(call('c', 'misbehave', { way }));
    expect(ended).toMatchObject({ status: 'failed', reason });
    expect(calls).toMatchObject([{ attempts: 1 }]);
  });

  test('a result that is not what the tool promises is an error result, and the tool is not run again (R94)', async () => {
    const { calls, results } = await run(call('c', 'misbehave', { way: 'wrong result' }));
    expect(calls).toMatchObject([{ status: 'failed', attempts: 1 }]);
    expect(results[0]).toMatch(/^Error: The tool ran, but its result does not fit its output schema: attempt: /);
  });

  longTest('one that hangs is stopped at its timeout, and the model is told', async () => {
    const { status, calls, results, run: ended } = await run(call('c', 'hang', {}));
    expect(status).toBe('done');
    expect(calls).toMatchObject([{ status: 'failed' }]);
    // On a busy machine an attempt may be stopped before it counts as one; the execution has seen all three.
    expect(await retries(ended!.id)).toEqual(3);
    expect(results[0]).toMatch(/^Error: .*(too long|timed out)/i);
  });

  test('an effect at a third party whose answer was lost is asked for again with the same key, and exists once (R27)', async () => {
    await vigil.fault({ function: 'Hit', kind: 'crash', at: 'after', times: 1 });
    const { calls } = await run(call('c', 'hit', { url: party.url }));
    expect(calls).toMatchObject([{ status: 'completed' }]);
    expect(party.effects).toBe(1);
  });

  test('a `once` tool that throws in the middle of it is not repeated either (R111)', async () => {
    const { calls, results } = await run(call('c', 'hit_once', { url: 'http://127.0.0.1:9' }));
    expect(calls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
    expect(results[0]).toMatch(
      /^Outcome unknown: .*Whether it took effect is unknown: check with check_hits before you try again\.$/,
    );
  });

  test('several calls of one reply run in parallel in a Map, and their results come in call order (R5, R28, R108)', async () => {
    const at = new Date((await vigil.now()).getTime() + 3_600_000).toISOString();
    const ways = ['none', 'tell', 'throw twice'];
    const toolCalls = [
      ...ways.map((way, index) => ({ id: `c${index}`, name: 'misbehave', arguments: { way } })),
      { id: 'c3', name: 'schedule', arguments: { at } },
      { id: 'c4', name: 'nonsense', arguments: {} },
    ];
    const { run: ended, results } = await run({ toolCalls });
    expect(results).toEqual([
      '{"attempt":1}',
      'Error: The page does not exist (404).',
      '{"attempt":3}',
      expect.stringMatching(/^The time has come/),
      expect.stringMatching(/^Error: There is no tool "nonsense"/),
    ]);
    const states = await vigil.states(ended!.id);
    expect(states.slice(0, 3)).toEqual(stepsTo('RunTools'));
    // Three calls at the same time; then what waits is slept; the one that nobody knows needs no state.
    expect(states.indexOf('CallModel', 1)).toBeLessThanOrEqual(3 + 2 * 3);
    expect(states.slice(states.indexOf('CallModel', 1))).toEqual(stepsTo('Sleep', 'Done'));
  });
});
