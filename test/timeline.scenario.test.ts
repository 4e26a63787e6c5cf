import { eventDetails, type MessageFinished, type RunEnded, type ToolCallSettled } from '../core/people/live/events';
import type { Timeline } from '../core/people/views/timeline';
import { type PublishedEvent, startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { reminderStory, wish } from './support/stories/reminder-story';
import { call } from './support/stories/transcript';

// Everything that a run did and waited for: to its owner in order, with what it cost, nothing sampled; to analytics and other systems
// as events, each thing once, and no words.

describe('the timeline (R91, R117)', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    party = await startThirdParty();
    vigil = await startVigil({
      variables: { VIGIL_PRICES: JSON.stringify({ 'gpt-6-luna': [1, 10], 'test-model': [1, 10] }) },
    });
  });
  afterAll(async () => {
    await vigil?.stop();
    await party.stop();
  });
  const timelineOf = async (id: string) =>
    (await (await vigil.user()).request('GET', `/conversations/${id}/timeline`)).body as Timeline;
  /** @throws after 20 s without so many events of a conversation. */
  async function published(id: string, many: number): Promise<PublishedEvent[]> {
    for (let attempt = 0; ; attempt++) {
      const events = vigil.events().filter(({ detail }) => detail.conversationId === id);
      if (events.length >= many) return events;
      if (attempt === 400) throw new Error(`Published, and no more: ${JSON.stringify(events, null, 1)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  test('of the reminder is its owner’s: each step and call with its times, and the transitions of its execution; all of it is published (R105, R124)', async () => {
    vigil.model.script((request) => ({
      ...reminderStory(request),
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    }));
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', wish);
    await ada.asleep(id);
    const [sleeping] = (await timelineOf(id)).runs;
    expect(sleeping).toMatchObject({ status: 'sleeping', entries: [{}, {}, {}, { kind: 'wait', status: 'waiting' }] });
    expect(sleeping!.endedAt).toBeUndefined();
    expect((await (await vigil.user('eve')).request('GET', `/conversations/${id}/timeline`)).status).toBe(404);
    await vigil.advance('P2D');
    const done = await ada.finished(id);
    const { runs, cost } = await timelineOf(id);
    const [run] = runs;
    expect(run!.entries.map(({ kind, name, status }) => [kind, name, status])).toEqual([
      ['model', 'reminder', 'complete'],
      ['tool', 'current_time', 'completed'],
      ['model', 'reminder', 'complete'],
      ['wait', 'schedule', 'completed'],
      ['model', 'reminder', 'complete'],
      ['tool', 'reminder', 'completed'],
      ['model', 'reminder', 'complete'],
    ]);
    expect(run!.entries.every(({ startedAt, endedAt }) => endedAt && startedAt <= endedAt)).toBe(true);
    expect(run!.usage).toMatchObject({ modelCalls: 4, inputTokens: 400, outputTokens: 40, costMicrodollars: 800 });
    expect((await vigil.states(done.run!.id)).length).toEqual(run!.cost.stateTransitions);
    expect(run!.cost.totalMicrodollars).toBeGreaterThan(800 + 12 * 25);
    expect(cost).toEqual(run!.cost);

    const { messages, calls } = done;
    const events = await published(id, messages.length + calls.length + 1);
    const of = <Detail>(type: string) =>
      events.filter((event) => event['detail-type'] === type).map(({ detail }) => detail as Detail);
    const user = messages[0]!.author;
    expect(of<MessageFinished>('Message finished')).toMatchObject(
      messages.map(({ seq, role, author }) => ({ conversationId: id, seq, role, author, status: 'complete' })),
    );
    expect(of<ToolCallSettled>('Tool call settled')).toMatchObject([
      { tool: 'current_time', status: 'completed', attempts: 1, agent: 'reminder', user, runId: run!.id },
      { tool: 'schedule', status: 'completed' },
      { tool: 'reminder', status: 'completed', attempts: 1, completedAt: calls[2]!.completedAt },
    ]);
    expect(of<RunEnded>('Run ended')).toMatchObject([
      { runId: run!.id, status: 'done', agent: 'reminder', user, segments: 1, usage: done.run!.usage },
    ]);
    expect(events).toHaveLength(messages.length + calls.length + 1);
    for (const event of events) {
      expect(event).toMatchObject({ source: 'vigil', bus: expect.stringMatching(/^Vigil/) });
      expect(eventDetails[event['detail-type']].strict().parse(event.detail)).toEqual(event.detail);
    }
    expect(JSON.stringify(events)).not.toMatch(/example.org|Remind me|I will/);
  });

  test('of several calls at once, approvals and retries: the transitions are those of the history', async () => {
    const pay = (id: string, cents: number) => ({ id, name: 'pay', arguments: { url: party.url, cents } });
    vigil.model.script([
      { toolCalls: [pay('a', 100), pay('b', 20_000), pay('c', 300)] },
      { toolCalls: [pay('d', 30_000)] },
      call('e', 'misbehave', { way: 'tell' }),
      { text: 'All paid.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay them');
    for (const count of [1, 2]) {
      const asked = await ada.until(id, ({ callbacks }) => callbacks.length === count);
      await ada.answer(id, asked.callbacks.find(({ status }) => status === 'pending')!.id, { approved: true });
    }
    const done = await ada.finished(id);
    const [run] = (await timelineOf(id)).runs;
    expect(run!.entries.filter(({ kind }) => kind === 'callback')).toHaveLength(2);
    expect((await vigil.states(done.run!.id)).length).toEqual(run!.cost.stateTransitions);
  });

  test('a question ends with its answer, and a reply that is cut off with the cut (R91)', async () => {
    vigil.model.script([{ text: 'Where to?' }, { text: 'Kyoto it is. Then Nara. And home.', holdAfter: 20 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('planner', 'Plan a trip for me');
    await ada.waiting(id);
    const open = (await timelineOf(id)).runs[0]!.entries.at(-1)!;
    expect(open).toMatchObject({ kind: 'callback', name: 'question', status: 'pending' });
    expect(open.endedAt).toBeUndefined();
    await ada.say(id, 'Kyoto');
    const answered = await ada.until(id, ({ messages }) => messages.some(({ text }) => text.startsWith('Kyoto it')));
    expect(answered.waitsFor).toBeUndefined();
    await ada.cancel(id);
    vigil.model.release();
    const [run] = (await timelineOf(id)).runs;
    expect(run!.entries.map(({ kind, status }) => [kind, status])).toEqual([
      ['model', 'complete'],
      ['callback', 'answered'],
      ['model', 'cancelled'],
    ]);
    expect(run!.entries.every(({ startedAt, endedAt }) => endedAt && startedAt <= endedAt)).toBe(true);
    expect(run!.endedAt).toBe(run!.entries.at(-1)!.endedAt);
  });
});
