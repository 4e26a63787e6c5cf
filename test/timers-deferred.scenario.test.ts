import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { timersOf } from './support/stories/timers';
import { call, wordsOf } from './support/stories/transcript';

// What an agent arranges for later: it goes on at once, and is woken when the time has come.

const lastOf = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);
const isDue = (request: ChatRequest) => lastOf(request).includes('⏰ Due at');
const water = (delay_seconds: number) =>
  call('later', 'remind_later', { message: 'Drink water', delay_seconds, at: null });

/** Arranges a reminder in an hour, looks at the clock, says so; chats; tells what is due. */
function deferring(request: ChatRequest): Reply {
  const last = lastOf(request);
  if (isDue(request)) return { text: 'Time to drink water.' };
  if (last.includes('In an hour')) return water(3_600);
  if (last.includes('"timer_id"')) return call('time', 'current_time', {});
  return { text: last.includes('"now"') ? 'I will remind you.' : 'Knock, knock.' };
}

describe('a reminder for later', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil({ script: deferring });
  });
  afterEach(() => vigil?.stop());

  async function given() {
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'In an hour, remind me to drink water');
    const { timers, run } = await ada.finished(id);
    const timerId = timers[0]!.id;
    await timersOf(vigil).until(timerId, 'RUNNING');
    return { ada, id, timerId, runId: run!.id };
  }
  const answered = (id: string) => async () => {
    const { messages } = await (await vigil.user()).read(id);
    return messages.at(-1)?.text === 'Time to drink water.';
  };
  const expected = ['I will remind you.', 'Time to drink water.'];
  const repliesIn = ({ messages }: Parameters<typeof wordsOf>[0]) =>
    wordsOf({ messages }).flatMap(([author, text]) => (author === 'tester' ? [text] : []));

  test('is answered at once with what is scheduled, the message and the delay; R43 the run goes on, and the user can chat (R42)', async () => {
    const { ada, id, timerId } = await given();
    const { calls, timers } = await ada.read(id);
    expect(calls).toMatchObject([
      {
        tool: 'remind_later',
        status: 'completed',
        result: { scheduled: 'Drink water', at: timers[0]!.nextAt, timer_id: timerId },
      },
      { tool: 'current_time', status: 'completed' },
    ]);
    expect(timers).toMatchObject([{ id: timerId, kind: 'once', status: 'active', text: 'Drink water', fired: 0 }]);
    expect(Date.parse(timers[0]!.nextAt) - Date.parse(calls[0]!.startedAt!)).toBeGreaterThanOrEqual(3_600_000);
    await ada.say(id, 'Tell me a joke');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['tester', 'Knock, knock.']);
  });

  test('comes into the same conversation as a message of its own, linked to its call, and wakes the idle agent; R31 nothing ran before (R44)', async () => {
    const { ada, id, timerId, runId } = await given();
    await vigil.advance('PT1M');
    const before = vigil.logs();
    await vigil.advance('PT58M');
    expect(vigil.logs()).toBe(before);
    expect(await timersOf(vigil).states(timerId)).toEqual([['WaitUntilDue']]);

    await vigil.advance('PT90S');
    const done = await ada.until(id, ({ messages }) => messages.at(-1)?.text === 'Time to drink water.');
    expect(done.messages.slice(-2)).toMatchObject([
      {
        role: 'system',
        author: 'remind_later',
        status: 'complete',
        about: timerId,
        text: expect.stringMatching(/^⏰ Due at .*, as arranged at .*: Drink water$/),
      },
      { role: 'assistant', text: 'Time to drink water.' },
    ]);
    expect(done.messages.at(-1)!.runId).not.toBe(runId);
    expect(done.timers).toMatchObject([{ status: 'done', fired: 1 }]);
    expect(lastOf(vigil.model.requests.at(-1)!)).toMatch(/^\[A note from the system, not from the user\] ⏰ Due at/);
    await timersOf(vigil).until(timerId, 'SUCCEEDED');
    expect(await timersOf(vigil).states(timerId)).toEqual([['WaitUntilDue', 'FireTimer', 'RouteTimer', 'Done']]);
  });

  longTest('outlives kill -9 of everything between, and comes on time (R45)', async () => {
    const { id, timerId } = await given();
    await vigil.kill();
    await vigil.restart();
    await vigil.advance('PT59M');
    expect((await (await vigil.user()).read(id)).timers).toMatchObject([{ status: 'active' }]);
    await vigil.advance('PT2M');
    await vigil.advanceUntil(answered(id));
    expect(repliesIn(await (await vigil.user()).read(id))).toEqual(expected);
    expect(await timersOf(vigil).executions(timerId)).toHaveLength(1);
  });

  longTest('goes with its conversation', async () => {
    const { ada, id, timerId } = await given();
    expect((await ada.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    await timersOf(vigil).until(timerId, 'ABORTED');
    const { calls } = vigil.model;
    await vigil.advance('PT2H');
    expect((await ada.request('GET', `/conversations/${id}`)).status).toBe(404);
    expect(vigil.model.calls).toBe(calls);
  });
});

describe('a reminder', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  longTest.each([0, -5])('after %d seconds is refused by the schema, and the model is told (R42)', async (delay) => {
    vigil.model.script([water(delay), { text: 'That cannot be.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Remind me');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([
      { status: 'failed', attempts: 0, error: expect.stringMatching(/delay_seconds.*(>0|greater than 0|more than 0)/) },
    ]);
    expect(done.timers).toEqual([]);
    expect(lastOf(vigil.model.requests[1]!)).toContain('delay_seconds');
  });

  test('wakes a run that sleeps; R50 which goes on at the time that it had chosen (R44, R109)', async () => {
    const at = new Date((await vigil.now()).getTime() + 30 * 86_400_000).toISOString();
    const sleep = (id: string) => call(id, 'schedule', { at });
    vigil.model.script((request) => {
      const last = lastOf(request);
      if (isDue(request)) return { text: 'Drink!', ...sleep('again') };
      if (last.startsWith('The time has come')) return { text: 'Good morning.' };
      return last.includes('"timer_id"') ? sleep('first') : water(600);
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Both');
    const { run } = await ada.asleep(id);
    await vigil.advance('PT11M');
    const again = await ada.until(id, ({ status, run: now }) => status === 'sleeping' && now?.segment === 2);
    expect(again.run).toMatchObject({ id: run!.id, until: at });
    expect(wordsOf(again).at(-1)).toEqual(['tester', 'Drink!']);
    await vigil.advance('P31D');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['tester', 'Good morning.']);
    expect(vigil.model.calls).toBe(4);
  });

  longTest.each([
    ['tester', 'feeds a run that is busy: the next model call takes it up', 1],
    ['queueing', 'waits for the end of the run, where the agent takes one thing after the other', 2],
  ])('with %s %s (R44, R110)', async (agent, _, runs) => {
    vigil.model.script((request, index) => {
      if (index === 0) return water(60);
      return isDue(request) ? { text: 'Drink!' } : { text: 'I am busy, as you see.', holdAfter: 4 };
    });
    const ada = await vigil.user();
    const { id } = await ada.start(agent, 'Soon');
    await vigil.model.held();
    // Due only now, so that the run is busy however slow the machine is.
    await vigil.advance('PT61S', { jump: true });
    await ada.until(id, ({ timers }) => timers[0]?.status === 'done');
    vigil.model.release();
    const done = await ada.until(id, ({ status, messages }) => status === 'done' && messages.at(-1)?.text === 'Drink!');
    expect(new Set(done.messages.flatMap(({ runId }) => runId ?? [])).size).toBe(runs);
    expect(vigil.model.calls).toBe(3);
  });
});
