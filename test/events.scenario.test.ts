import { eventDetails, type MessageFinished, type RunEnded, type ToolCallSettled } from '../core/people/live/events';
import { changedAssembly, revoke } from './support/clouds/changed-assembly';
import { type PublishedEvent, startVigil, type Vigil } from './support/clouds/vigil';
import { liveClient } from './support/live-client';
import { longTest } from './support/long';
import { reminderStory, wish } from './support/stories/reminder-story';

// What analytics and other systems hear: everything that is finished, each thing once or again under the same id, and no words.

describe('the event bus', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  const start = async (variables: Record<string, string> = {}) => {
    vigil = await startVigil({ script: reminderStory, variables });
    return (await (await vigil.user()).start('reminder', wish)).id;
  };
  /** The story to its end, and what was published of it by then. */
  async function toTheEnd(id: string): Promise<PublishedEvent[]> {
    await (await vigil.user()).asleep(id);
    await vigil.advance('P2D');
    const { messages, calls } = await (await vigil.user()).finished(id);
    return published(messages.length + calls.length + 1);
  }
  /** @throws after 20 s without so many different events. */
  async function published(many: number): Promise<PublishedEvent[]> {
    for (let attempt = 0; attempt < 400; attempt++) {
      const events = vigil.events();
      if (unique(events).length >= many) return events;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`Published, and no more: ${JSON.stringify(vigil.events(), null, 1)}`);
  }
  const unique = (events: PublishedEvent[]) => [
    ...new Map(events.map((event) => [event.detail.deduplicationId, event])).values(),
  ];
  const of = <Detail>(events: PublishedEvent[], type: string) =>
    events.filter((event) => event['detail-type'] === type).map(({ detail }) => detail as Detail);

  test('exactly what a run finished is published, by ids and figures, without a word of it (R105)', async () => {
    const id = await start();
    const events = await toTheEnd(id);
    const { run, messages, calls } = await (await vigil.user()).read(id);
    const user = messages[0]!.author;

    expect(of<MessageFinished>(events, 'Message finished')).toMatchObject(
      messages.map(({ seq, role, author }) => ({ conversationId: id, seq, role, author, status: 'complete' })),
    );
    expect(of<ToolCallSettled>(events, 'Tool call settled')).toMatchObject([
      { tool: 'current_time', status: 'completed', attempts: 1, agent: 'reminder', user, runId: run!.id },
      { tool: 'schedule', status: 'completed' },
      { tool: 'reminder', status: 'completed', attempts: 1, completedAt: calls[2]!.completedAt },
    ]);
    expect(of<RunEnded>(events, 'Run ended')).toMatchObject([
      { runId: run!.id, status: 'done', agent: 'reminder', user, segments: 1, usage: run!.usage },
    ]);
    expect(events).toHaveLength(messages.length + calls.length + 1);
    expect(unique(events)).toHaveLength(events.length);
    for (const event of events) {
      expect(event).toMatchObject({ source: 'vigil', bus: expect.stringMatching(/^Vigil/) });
      expect(eventDetails[event['detail-type']].strict().parse(event.detail)).toEqual(event.detail);
    }
    expect(JSON.stringify(events)).not.toMatch(/example.org|Remind me|I will/);
  });

  longTest('the function dies after it has published: what is told again has the same id (R105)', async () => {
    vigil = await startVigil({ script: () => ({ text: 'All of it.' }) });
    const ada = await vigil.user();
    // Which invocation publishes depends on how the rows come together, so another one is hit in each conversation.
    for (let nth = 1; vigil.events().length === unique(vigil.events()).length; nth++) {
      if (nth === 10) throw new Error('Nothing was published twice.');
      await vigil.fault({ function: 'Broadcast', kind: 'crash', at: 'after', nth });
      await ada.finished((await ada.start('reminder', wish)).id);
      expect(unique(await published(3 * nth))).toHaveLength(3 * nth);
    }
  });

  longTest('of a fork what it did itself is published, not what it copied (R105, R116)', async () => {
    vigil = await startVigil({ script: ({ messages }) => ({ text: `Answer ${messages.length}.` }) });
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', 'One?');
    await ada.finished(id);
    await ada.say(id, 'Two?');
    await ada.until(id, ({ messages, status }) => status === 'done' && messages.length === 4);
    const { body } = await ada.request('POST', `/conversations/${id}/fork`, { step: 1 });
    const fork = (body as { id: string }).id;
    expect((await ada.finished(fork)).messages).toHaveLength(4);
    const ofFork = (await published(8)).filter(({ detail }) => detail.conversationId === fork);
    expect(of<MessageFinished>(ofFork, 'Message finished').map(({ seq }) => seq)).toEqual([4]);
    expect(of<RunEnded>(ofFork, 'Run ended')).toHaveLength(1);
  });

  longTest('without the right to publish, runs end and pages are told; nobody else is (R105)', async () => {
    const deployment = changedAssembly((template) => revoke(template, 'LiveBroadcastRole', 'events:PutEvents'));
    vigil = await startVigil({ script: [{ text: 'Hello.' }], deployment });
    const ada = await vigil.user();
    const page = await liveClient(ada);
    const { id } = await ada.start('reminder', 'Hello?');
    await page.follow(id);
    await page.until(() => page.of(id)!.run?.status === 'done');
    expect(vigil.events()).toEqual([]);
    await page.close();
  });
});
