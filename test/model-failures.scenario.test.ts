import type { RunAttempts } from '../core/machines/reconcile/attempts';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { isLong, longTest, someOf } from './support/long';
import type { Reply } from './support/servers/model-server';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// What a model's server can do wrong, and what becomes of the run: each ends with something that a person understands.

describe('a model server that fails', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  async function tell(script: Reply[]) {
    vigil.model.script(script);
    const before = vigil.model.calls;
    const { id } = await (await vigil.user()).start('tester', 'Hello');
    const ended = await nudgeToEnd(vigil, id);
    return { ...ended, modelCalls: vigil.model.calls - before };
  }
  const fine: Reply = { text: 'All is well.' };

  const unusual: [string, Reply[]][] = [
    ['answers 500 twice', [{ status: 500 }, { status: 500 }, fine]],
    ['sends a malformed stream', [{ malformed: 'data: {"choices": [{\n\n' }, fine]],
  ];

  test.each<[string, Reply[]]>([
    ['answers 429 three times', [{ status: 429 }, { status: 429 }, { status: 429 }, fine]],
    ['closes the connection midway', [{ text: 'All is not we', closeAfter: 6 }, fine]],
    ...(isLong ? unusual : []),
  ])('%s: the execution waits, with backoff, and the step succeeds (R202)', async (_what, script) => {
    const { run, messages, modelCalls } = await tell(script);
    // What has begun to reply is billed, whether it comes to an end or not.
    const begun = script.filter(({ text }) => text);
    expect(run).toMatchObject({ status: 'done', step: 1, usage: { modelCalls: begun.length } });
    expect(messages.map(({ text, status }) => [text, status])).toEqual([
      ['Hello', 'complete'],
      ['All is well.', 'complete'],
    ]);
    expect(modelCalls).toBe(script.length);
    const waits = (await vigil.states(run!.id)).filter((state) => state === 'Sleep');
    expect(waits).toHaveLength(script.length - 1);
  });

  test('asks for a pause: the execution waits, and the server is not asked sooner (R198)', async () => {
    const { run, messages } = await tell([{ status: 503, headers: { 'retry-after': '120' } }, fine]);
    const { failedAttempts, completedAt } = messages.at(-1)!;
    expect(failedAttempts).toMatchObject([{ attempt: 1, error: "The model's server failed (503)." }]);
    const { endedAt = '', retryBy = '' } = failedAttempts![0]!;
    expect(Date.parse(retryBy) - Date.parse(endedAt)).toBeGreaterThan(115_000);
    expect(completedAt! >= retryBy).toBe(true);
    expect(await vigil.states(run!.id)).toEqual(expect.arrayContaining(['Sleep']));
  });

  test('finds the conversation too long: it is summarised, and goes on (R198)', async () => {
    const long = 'Remember this. '.repeat(200);
    const tooLong = { error: { message: "This model's maximum context length is 1200 tokens." } };
    const summarised = [{ status: 400, error: tooLong }, { text: 'To remember.' }];
    vigil.model.script([fine, { text: long }, ...summarised, fine, fine]);
    const user = await vigil.user();
    const { id } = await user.start('tester', 'Hello');
    await nudgeToEnd(vigil, id);
    // The latest reply stays whole, so an earlier one is summarised.
    for (const words of ['And then?', 'And now?', 'And now?']) {
      await user.say(id, words);
      expect(await nudgeToEnd(vigil, id)).toMatchObject({ status: 'done' });
    }
    expect(vigil.model.requests.at(-1)!.messages[1]!.content).toMatch(/A summary of the conversation so far: To remem/);
  });

  test.each(
    someOf([
      ['error', /failed before it could say why/],
      ['crash', /failed before it could say why/],
      ['throttle', /AWS had no capacity for the function/],
    ] as const),
  )(
    'CallModel that meets %s writes no row: Step Functions says which attempt, why, and when the next is (R197)',
    async (kind, why) => {
      await vigil.fault({ function: 'CallModel', kind, at: 'before', times: 10_000 });
      vigil.model.script([fine]);
      const ada = await vigil.user();
      const { id } = await ada.start('tester', 'Hello');
      const known = async () => (await ada.request('GET', `/conversations/${id}/attempts`)).body as RunAttempts;
      let attempts: RunAttempts['attempts'] = [];
      for (let look = 0; look < 1_000 && !attempts[0]?.failed?.retryBy; look++) attempts = (await known()).attempts;
      expect(attempts).toMatchObject([
        { state: 'CallModel', attempt: expect.any(Number), failed: { error: expect.stringMatching(why) } },
      ]);
      expect(attempts[0]!.failed!.attempt).toBe(attempts[0]!.attempt - 1);
      expect((await (await vigil.user('mallory')).request('GET', `/conversations/${id}/attempts`)).status).toBe(404);
      await fetch(`${vigil.url}/_local/faults`, { method: 'DELETE' });
      expect(await nudgeToEnd(vigil, id)).toMatchObject({ run: { status: 'done' } });
      expect(await known()).toEqual({ execution: 'ended', attempts: [] });
    },
  );

  const attemptsOf = async (user: User, id: string) =>
    ((await user.request('GET', `/conversations/${id}/attempts`)).body as RunAttempts).attempts;
  /** Reads what Step Functions knows until each attempt has failed, and waits for its time. */
  async function failing(user: User, id: string, count: number) {
    for (let look = 0; look < 1_000; look++) {
      const attempts = await attemptsOf(user, id);
      const waiting = attempts.filter(({ failed, startedAt }) => failed?.retryBy && !startedAt);
      if (waiting.length === count) return attempts;
    }
    throw new Error(`They are not ${count}: ${JSON.stringify(await attemptsOf(user, id))}`);
  }
  const faults = (kinds: Record<string, 'error' | 'timeout' | 'throttle' | 'crash'>) =>
    Promise.all(
      Object.entries(kinds).map(([name, kind]) => vigil.fault({ function: name, kind, at: 'before', times: 10_000 })),
    );

  test('tools whose functions throw, time out and are throttled, beside one another: each is said of its call (R197)', async () => {
    await faults({ CancelTimer: 'error', ListTimers: 'timeout', RunIsolated: 'throttle' });
    const asked = ['cancel_timer', 'list_timers', 'current_time'].map((name, n) => ({
      id: `c${n}`,
      name,
      arguments: name === 'cancel_timer' ? { timer_id: 'none' } : {},
    }));
    vigil.model.script([{ toolCalls: asked }, fine]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Hello');
    const attempts = await failing(ada, id, 3);
    const { calls } = await ada.read(id);
    const said = attempts.map(({ state, callId, failed }) => [
      state,
      calls.find((one) => one.id === callId)?.tool,
      failed!.error,
    ]);
    expect(said.sort()).toEqual([
      ['cancel_timer (parallel)', 'cancel_timer', expect.stringMatching(/failed before it could say why/)],
      ['current_time (parallel)', 'current_time', expect.stringMatching(/AWS had no capacity for the function/)],
      ['list_timers (parallel)', 'list_timers', expect.stringMatching(/did not answer in time/)],
    ]);
    expect(calls.map(({ attempts: begun }) => begun)).toEqual([0, 0, 0]);
    await vigil.clearFaults();
    expect(await nudgeToEnd(vigil, id)).toMatchObject({ run: { status: 'done' } });
  });

  test('a timer that is due and whose function crashes, and then the function of the tool that it calls (R197)', async () => {
    const later = { tool: 'list_timers', arguments: '{}', delay_seconds: 60 };
    vigil.model.script([call('c1', 'run_later', later), fine, { text: 'No timers.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Hello');
    const [timer] = (await ada.finished(id)).timers;
    expect(await attemptsOf(ada, id)).toEqual([]);
    await faults({ FireTimer: 'crash', ListTimers: 'throttle' });
    await vigil.advance('PT61S');
    expect(await failing(ada, id, 1)).toMatchObject([
      { state: 'FireTimer', timerId: timer!.id, failed: { error: expect.stringMatching(/failed before it could/) } },
    ]);
    expect((await ada.read(id)).timers).toMatchObject([{ status: 'active' }]);
    await vigil.clearFaults();
    await faults({ ListTimers: 'throttle' });
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'running');
    expect(await failing(ada, id, 1)).toMatchObject([
      { state: 'list_timers', callId: expect.any(String), failed: { error: expect.stringMatching(/no capacity/) } },
    ]);
    await vigil.clearFaults();
    expect(await nudgeToEnd(vigil, id)).toMatchObject({
      messages: expect.arrayContaining([expect.objectContaining({ text: 'No timers.' })]),
    });
    expect(await attemptsOf(ada, id)).toEqual([]);
  });

  longTest(
    'sends no replies three times: the run fails with the reason, and the next message starts a new one',
    async () => {
      const { id, run, messages } = await tell(Array.from({ length: 3 }, () => ({ malformed: '<!doctype html>' })));
      expect(run).toMatchObject({
        status: 'failed',
        reason: expect.stringMatching(/HTML.* It has failed since .*, 3 times/),
      });
      expect(messages.at(-1)).toMatchObject({ role: 'assistant', status: 'error' });
      vigil.model.script([fine]);
      await (await vigil.user()).say(id, 'Are you back?');
      expect(await nudgeToEnd(vigil, id)).toMatchObject({ status: 'done' });
    },
  );

  test.each<[string, Reply, string]>(
    someOf([
      ['a bad key', { status: 401 }, "The model's server refused the key (401). Put a valid key into the secret."],
      ['an unknown model', { status: 404 }, 'The model\'s server does not know the model "test-model" (404).'],
      [
        'a conversation that is too long',
        { status: 400, error: { error: { message: 'too long', code: 'context_length_exceeded' } } },
        'The conversation has grown too long for the model "test-model".',
      ],
    ]),
  )('rejects %s: the run fails at once, in plain words (R24)', async (_what, reply, reason) => {
    const { run, modelCalls } = await tell([reply]);
    expect(run).toMatchObject({ status: 'failed', reason, step: 0 });
    expect(modelCalls).toBe(1);
  });

  test('sends arguments that are no JSON: the model reads why, and mends it (R11)', async () => {
    const { run, calls } = await tell([call('c1', 'schedule', '{"at": "2026'), fine]);
    expect(run).toMatchObject({ status: 'done', step: 2 });
    expect(calls).toMatchObject([
      { tool: 'schedule', status: 'failed', error: expect.stringContaining('not valid JSON') },
    ]);
    expect(vigil.model.requests.at(-1)!.messages.at(-1)).toMatchObject({
      role: 'tool',
      tool_call_id: 'c1',
      content: expect.stringMatching(/^Error: .*JSON/),
    });
  });

  test('calls a tool that nobody knows: an error result, and the run goes on (R10)', async () => {
    const { run, calls } = await tell([call('c1', 'teleport', {}), fine]);
    expect(run).toMatchObject({ status: 'done', step: 2 });
    expect(calls[0]!.error).toMatch(/^There is no tool "teleport". The tools are: current_time, /);
  });

  longTest('says nothing at all: it is told so, and answers (R11)', async () => {
    const { run, messages } = await tell([{ empty: true }, fine]);
    expect(run).toMatchObject({ status: 'done', step: 2 });
    expect(messages.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Hello'],
      ['assistant', ''],
      ['system', 'Your last reply was empty. Answer the user, or call a tool.'],
      ['assistant', 'All is well.'],
    ]);
  });
});

describe('a run that does not end', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  test('stops at the step limit: the last call is the fifth, its tool still runs, and the status says so (R9)', async () => {
    vigil = await startVigil({ script: (_request, index) => call(`c${index}`, 'current_time', {}) });
    const { id } = await (await vigil.user()).start('brief', 'Go on and on');
    const ended = await (await vigil.user()).finished(id);
    expect(ended.run).toMatchObject({
      status: 'limited',
      step: 5,
      reason: 'The limit of 5 steps for one run is reached.',
    });
    expect(ended.calls.map(({ status }) => status)).toEqual(Array(5).fill('completed'));
    expect(vigil.model.calls).toBe(5);
  });

  longTest('a limit that is no number fails the run, and names itself (R24)', async () => {
    vigil = await startVigil({ script: [], variables: { VIGIL_MAX_STEPS: 'many' } });
    const { id } = await (await vigil.user()).start('reminder', 'Hello');
    const { run } = await (await vigil.user()).finished(id);
    expect(run).toMatchObject({
      status: 'failed',
      reason: 'VIGIL_MAX_STEPS is "many": it must be a whole number of at least 1.',
    });
  });

  longTest('VIGIL_MAX_STEPS overrides what the agent says (R9)', async () => {
    const script = (_request: unknown, index: number) => call(`c${index}`, 'current_time', {});
    vigil = await startVigil({ script, variables: { VIGIL_MAX_STEPS: '2' } });
    const { id } = await (await vigil.user()).start('reminder', 'Go on and on');
    expect((await (await vigil.user()).finished(id)).run).toMatchObject({ status: 'limited', step: 2 });
    expect(vigil.model.calls).toBe(2);
  });
});
