import { DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { largestState } from './support/history';
import { reminderStates, reminderStory, reminderWords, wish } from './support/stories/reminder-story';
import { call, wordsOf } from './support/stories/transcript';

// The reminder story: the model asks for the time, sleeps until tomorrow in a Wait state, reminds, and ends.

describe('the reminder story', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil({ script: reminderStory });
  });
  afterAll(() => vigil?.stop());

  test('time, sleep, wake-up, reminder, end: each a state of the real machine (R1, R6, R12, R37, R38, R40, R57)', async () => {
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', wish);
    const asleep = await ada.asleep(id);

    expect(asleep.run).toMatchObject({ status: 'sleeping', step: 2, agent: 'reminder' });
    expect(asleep.until).toMatch(/T08:00:00.000Z$/);
    expect(asleep.calls).toMatchObject([
      { tool: 'current_time', status: 'completed' },
      { tool: 'schedule', status: 'waiting', until: asleep.until },
    ]);
    expect(vigil.model.calls).toBe(2);

    await vigil.advance('P2D');
    const done = await ada.finished(id);
    expect(done.run).toMatchObject({ status: 'done', step: 4, usage: { modelCalls: 4, toolCalls: 3 } });
    expect(wordsOf(done)).toEqual(reminderWords);

    const { id: runId } = done.run!;
    expect(await vigil.states(runId)).toEqual(reminderStates);
    expect(largestState(await vigil.history(runId))).toBeLessThan(1_000);
  });

  test('the model saw every call and its result, in order; R39 R41 the wake-up told it the time (R2, R3)', async () => {
    const last = vigil.model.requests.at(-1)!;
    expect(last.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(
      last.messages
        .filter(({ role }) => role === 'tool')
        .map((message) => 'tool_call_id' in message && message.tool_call_id),
    ).toEqual(['call_time', 'call_sleep', 'call_remind']);
    expect(last.messages[5]?.content).toMatch(
      /^The time has come: it was set for .*T08:00:00.000Z, and it is now .*Z\.$/,
    );
  });

  test('eight o’clock is the user’s eight o’clock, wherever they are (R153)', async () => {
    const eve = await vigil.user('eve');
    const set = (settings: object) => eve.request('PUT', '/settings', settings);
    expect(await set({ timeZone: 'Nowhere/Else' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'timeZone', message: 'use an IANA time zone such as Europe/Berlin' }] },
    });
    await set({ timeZone: 'America/New_York', language: 'en-US' });
    const day = new Date((await vigil.now()).getTime() + 3 * 86_400_000).toISOString().slice(0, 10);
    vigil.model.script([
      call('t', 'current_time', {}),
      call('s', 'schedule', { at: `${day}T08:00` }),
      { text: 'Good morning.' },
      { text: 'Good evening.' },
    ]);
    const seen = vigil.model.requests.length;
    const read = (request: number) => vigil.model.requests[seen + request]!.messages.map(({ content }) => content);
    const placed = (zone: string) => expect.stringContaining(`The user's time zone is ${zone}`);
    const { id } = await eve.start('reminder', 'Wake me at eight');
    const { until } = await eve.asleep(id);
    const clock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'short',
    });
    expect(clock.format(new Date(until!))).toBe(`${day} 08:00`);
    expect(read(0)).toEqual([expect.any(String), placed('America/New_York'), 'Wake me at eight']);
    expect(vigil.model.requests[seen + 1]!.messages.at(-1)!.content).toMatch(
      /"local":"[^"]*-0[45]:00\[America\/New_York\]"/,
    );
    await vigil.advance('P4D');
    await eve.finished(id);
    expect(vigil.model.requests[seen + 2]!.messages.at(-1)!.content).toMatch(
      /it was set for .*T08:00:00-0[45]:00\[America\/New_York\], and it is now .*\[America\/New_York\]\.$/,
    );
    // From the next message on, they are in Tokyo.
    await eve.request('POST', `/conversations/${id}/messages`, { text: 'I have landed', timeZone: 'Asia/Tokyo' });
    await eve.finished(id);
    expect(read(3).slice(-2)).toEqual([placed('Asia/Tokyo'), 'I have landed']);
    // What the model has read before stays as it was, so its provider can cache it (R200).
    expect(read(3).slice(0, read(2).length)).toEqual(read(2));
    expect((await eve.request('GET', '/settings')).body).toEqual({ timeZone: 'Asia/Tokyo', language: 'en-US' });
  });

  test('Step Functions itself tells the run as AWS would (R16, R26)', async () => {
    const ada = await vigil.user();
    const [{ id } = { id: '' }] = (await ada.list()).conversations;
    const { run } = await ada.read(id);
    const [execution] = await vigil.executions(run!.id);
    expect(execution).toMatchObject({ name: `${run!.id}-1`, status: 'SUCCEEDED' });
    const described = await vigil.stepFunctions.send(
      new DescribeExecutionCommand({ executionArn: execution!.executionArn }),
    );
    expect(JSON.parse(described.input!)).toEqual({ conversationId: id, runId: run!.id, segment: 1, step: 0 });
    const history = await vigil.history(run!.id);
    expect(history.map(({ id: eventId }) => eventId)).toEqual(history.map((_, index) => index + 1));
    expect(history.at(0)?.type).toBe('ExecutionStarted');
    expect(history.at(-1)?.type).toBe('ExecutionSucceeded');
  });

  test('neither a key nor what was said is in a log, in the state or in the history (R35)', async () => {
    const ada = await vigil.user();
    const [{ id } = { id: '' }] = (await ada.list()).conversations;
    const { run } = await ada.read(id);
    const traces = [vigil.logs(), JSON.stringify(await vigil.history(run!.id))];
    expect(traces[0]).toContain(run!.id);
    for (const trace of traces) expect(trace).not.toMatch(/sk-test|example.org|bright|taskToken/);
    expect(JSON.stringify(vigil.model.requests.map(({ messages }) => messages))).not.toContain('sk-test');
  });
});
