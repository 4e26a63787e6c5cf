import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';

// What a message does that arrives while the run is active: the agent's author decides. A sleeper answers at once, and its old
// wake-up changes nothing.

let vigil: Vigil;
/** In thirty days. */
let at = '';
beforeEach(async () => {
  vigil = await startVigil();
  at = new Date((await vigil.now()).getTime() + 30 * 86_400_000).toISOString();
});
afterEach(() => vigil?.stop());

test('merge: a sleeper answers at once, in the next segment, and sleeps on; it is cancelled by nobody, and wakes once, for its time or for its owner (R59, R109, R110, R255)', async () => {
  vigil.model.script(({ messages }) => {
    const last = JSON.stringify(messages.at(-1));
    if (last.includes('The time has come')) return { text: 'Good morning.' };
    const sleep = call(`sleep-${messages.length}`, 'schedule', { at });
    return last.includes('Wake me') ? sleep : { text: 'I am here, and go on sleeping.', ...sleep };
  });
  const ada = await vigil.user();
  const given = async (...texts: string[]) => {
    const { id } = await ada.start('tester', 'Wake me on that day');
    const { run } = await ada.asleep(id);
    await Promise.all(texts.map((text) => ada.say(id, text)));
    const again = await ada.until(
      id,
      ({ status, messages }) => status === 'sleeping' && messages.every((message) => message.status === 'complete'),
    );
    return { id, runId: run!.id, again };
  };
  const until = new Date(at).toISOString();
  const { id, runId, again } = await given('Are you there?');
  expect(again).toMatchObject({ until, run: { segment: 2 } });
  expect(wordsOf(again).at(-1)).toEqual(['tester', 'I am here, and go on sleeping.']);
  const isNotYet = /^Interrupted: the time .* has not come yet; it is .*\. A new message has arrived/;
  const told = vigil.model.requests[1]!.messages.slice(-2).map(({ role, content }) => [role, String(content)]);
  expect(told).toEqual([
    ['tool', expect.stringMatching(isNotYet)],
    ['user', 'Are you there?'],
  ]);
  expect((await vigil.executions(runId)).map(({ status }) => status)).toEqual(['ABORTED', 'RUNNING']);
  // The stopped execution does not end the run.
  await vigil.advanceUntil(async () => /"message":"settle"[^\n]*"settled":false/.test(vigil.logs()));
  expect((await ada.read(id)).run).toMatchObject({ id: runId, status: 'sleeping' });

  // Another one gets three at once, and its owner does not wait for its time, and asks twice.
  const early = await given('One', 'Two', 'Three');
  const { messages, run } = early.again;
  const words = messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  expect(words.slice(1).sort()).toEqual(['One', 'Three', 'Two']);
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
  const wake = () => ada.request('POST', `/conversations/${early.id}/wake`, { until });
  for (const _ of [1, 2]) expect((await wake()).status).toBe(202);
  const woken = await ada.finished(early.id);
  expect(wordsOf(woken).at(-1)).toEqual(['tester', 'Good morning.']);
  expect(woken.run).toMatchObject({ id: early.runId, segment: run!.segment + 1 });
  const calls = vigil.model.calls;
  await vigil.advance('P31D');
  const done = await ada.finished(id);
  expect(wordsOf(done).at(-1)).toEqual(['tester', 'Good morning.']);
  expect(done.run).toMatchObject({ id: runId, status: 'done', segment: 2 });
  expect(vigil.model.calls).toBe(calls + 1);
  expect((await ada.read(early.id)).messages).toHaveLength(woken.messages.length);
  expect((await vigil.executions(early.runId)).at(-1)!.status).toBe('SUCCEEDED');
});

test('merge: who decides to sleep, or has a tool at work beside a wait, finishes that, and a message then keeps it awake (R109, R110)', async () => {
  const party = await startThirdParty();
  vigil.model.script([
    { text: 'Let me sleep on it.', ...call('c1', 'schedule', { at }), holdAfter: 3 },
    {
      toolCalls: [
        { id: 'c2', name: 'schedule', arguments: { at } },
        { id: 'c3', name: 'hit', arguments: { url: party.url } },
      ],
    },
    { text: 'All seen.' },
  ]);
  const ada = await vigil.user();
  const { id } = await ada.start('tester', 'Sleep');
  await vigil.model.held();
  await ada.say(id, 'Wait!');
  const atWork = party.holdNext();
  vigil.model.release();
  await atWork;
  await ada.say(id, 'And?');
  party.release();
  const done = await ada.finished(id);
  await party.stop();
  const interrupted = { tool: 'schedule', status: 'completed', result: expect.stringMatching(/^Interrupted/) };
  expect(done.calls).toMatchObject([
    interrupted,
    interrupted,
    { tool: 'hit', status: 'completed', result: { hits: 1 } },
  ]);
  expect(wordsOf(done)).toEqual([
    ['user', 'Sleep'],
    ['tester', 'Let me sleep on it.'],
    ['user', 'Wait!'],
    ['user', 'And?'],
    ['tester', 'All seen.'],
  ]);
  expect(await vigil.states(done.run!.id)).not.toContain('Sleep');
});

test('interrupt: cuts the model off in mid-sentence, lets a tool at work finish, and gives an open approval up; the model knows (R110)', async () => {
  const toolCalls = [
    { id: 'c1', name: 'misbehave', arguments: { way: 'slow' } },
    { id: 'c2', name: 'pay', arguments: { url: 'http://127.0.0.1:9', cents: 20_000 } },
  ];
  vigil.model.script([{ text: 'One. Two. Three.', holdAfter: 9 }, { toolCalls }, { text: 'I see.' }]);
  const ada = await vigil.user();
  const { id } = await ada.start('interrupted', 'Count');
  await vigil.model.held();
  await ada.until(id, ({ messages }) => messages.some(({ text }) => text.startsWith('One. ')));
  await ada.say(id, 'Stop counting, do both');
  await ada.waiting(id);
  vigil.model.release();
  await ada.say(id, 'Rather not');
  const done = await ada.finished(id);
  expect(done.messages.map(({ status, text }) => [status, text])).toEqual([
    ['complete', 'Count'],
    ['cancelled', expect.stringMatching(/^One\. (Two\. ?)?$/)],
    ['complete', 'Stop counting, do both'],
    ['complete', ''],
    ['complete', 'Rather not'],
    ['complete', 'I see.'],
  ]);
  expect(done.run).toMatchObject({ status: 'done', segment: 2 });
  expect(vigil.model.requests[1]!.messages.at(-2)).toMatchObject({
    role: 'assistant',
    content: expect.stringMatching(/\[cut off here\]$/),
  });
  expect(done.calls).toMatchObject([
    { tool: 'misbehave', status: 'completed' },
    { tool: 'pay', status: 'cancelled', error: expect.stringContaining('instead of deciding') },
  ]);
  expect(done.callbacks).toMatchObject([{ status: 'cancelled' }]);
});

test('queue: waits for the end of the run, and then begins the next one; reject: is refused with a reason and leaves no trace, and an answer is no message in mid-run (R110)', async () => {
  vigil.model.script([call('c', 'schedule', { at }), { text: 'Slept well.' }, { text: 'Second.' }]);
  const ada = await vigil.user();
  const { id } = await ada.start('queueing', 'Sleep');
  const { run } = await ada.asleep(id);
  for (const text of ['Then this', 'And this']) await ada.say(id, text);
  expect((await ada.read(id)).status).toBe('sleeping');
  await vigil.advance('P31D');
  const done = await ada.until(id, ({ status, run: now }) => status === 'done' && now?.id !== run!.id);
  expect(wordsOf(done)).toEqual([
    ['user', 'Sleep'],
    ['user', 'Then this'],
    ['user', 'And this'],
    ['queueing', 'Slept well.'],
    ['queueing', 'Second.'],
  ]);
  expect(done.messages.every(({ status }) => status === 'complete')).toBe(true);
  expect(vigil.model.requests[1]!.messages.filter(({ role }) => role === 'user')).toHaveLength(1);

  vigil.model.script([
    call('q', 'ask_user', { question: 'Which?' }),
    call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }),
  ]);
  const { id: busy } = await ada.start('busy', 'Work');
  await ada.waiting(busy);
  await ada.say(busy, 'That one');
  await ada.asleep(busy);
  const refused = await ada.request('POST', `/conversations/${busy}/messages`, { text: 'Hello?' });
  expect(refused).toMatchObject({
    status: 409,
    body: { title: 'Conflict', detail: expect.stringContaining('takes no messages until it is done') },
  });
  const words = [
    ['user', 'Work'],
    ['user', 'That one'],
  ];
  expect(wordsOf(await ada.read(busy))).toEqual(words);
});
