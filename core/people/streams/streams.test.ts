import { AbstractAgent, type BaseEvent } from '@ag-ui/client';
import * as fc from 'fast-check';
import { from } from 'rxjs';
import {
  agUiEvents,
  agUiMessages,
  aiSdkChunks,
  beginningAt,
  type Chunk,
  conversationOf,
  mergeRows,
  movesSince,
  nothingKnown,
  type Place,
  paceOf,
  placeIn,
  positionText,
  type RowsPlace,
  replaces,
  rowsPlaceIn,
  type Seen,
} from 'vigil-client/shared';
import { anyText } from '../../../test/support/any-text';
import { bundled } from '../../../test/support/clouds/bundled';
import { fifthOf } from '../../../test/support/long';
import { streamStory } from '../../../test/support/stories/stream-story';
import type { Call, Callback, Conversation, Message } from '../../base/state/schemas';
import { rowsSince } from './rows';
import { bodyOf } from './server-sent';

// A story is told in parts, from any of its points to any later one, and read by the libraries that the dialects are for. They must
// know the same as from one part.

type Clients = typeof import('../../../test/support/stories/stream-clients');
const now = new Date('2026-03-01T09:00:00.000Z');
const whole = ({ head, ...rows }: Seen) => ({ ...head, ...rows, timers: [], more: false }) as unknown as Conversation;

/** What has happened, and at which of its points a client asked. */
const told = fc.record({
  acts: fc.array(fc.nat(), { minLength: 1, maxLength: 40 }),
  asks: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
});

/** Returns the rows at the points where the client asks; always at the end. */
function pointsOf({ acts, asks }: { acts: number[]; asks: boolean[] }): Seen[] {
  const story = streamStory();
  story.next().say!();
  const points = acts.map((act) => {
    const next = Object.values(story.next());
    next[act % next.length]!();
    return story.rows();
  });
  return points.filter((_, at) => asks[at] || at === points.length - 1);
}

/** The turn that began first, told at each point; a position travels as text. */
function toldAt<Event>(
  points: Seen[],
  say: (before: Place, at: ReturnType<typeof movesSince>, seen: Seen) => Event[],
): Event[] {
  let place = beginningAt(1);
  return points.flatMap((seen) => {
    const at = movesSince(place, seen, now);
    const events = say(place, at, seen);
    place = placeIn(positionText(at.place))!;
    return events;
  });
}

describe('a stream is resumed at any point', () => {
  let clients: ReturnType<typeof bundled<Clients>>;
  beforeAll(() => {
    clients = bundled<Clients>('test/support/stories/stream-clients.ts');
  });
  afterAll(() => clients.remove());

  /** The message that `useChat` would have. Where the rest is shown depends on the parts, and it is the last one that counts. */
  async function messageOf(chunks: Chunk[]) {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of chunks) if (!['error', 'finish', 'abort'].includes(chunk.type)) controller.enqueue(chunk);
        controller.close();
      },
    });
    let last: { id: string; parts: { type: string; data?: unknown }[] } | undefined;
    for await (const message of clients.exports.readUIMessageStream({ stream, terminateOnError: true })) last = message;
    const parts =
      last?.parts.map((part) => ({ ...part, ...('approval' in part && { approval: part.approval }) })) ?? [];
    const isRun = ({ type }: { type: string }) => type === 'data-run';
    const shown = parts.filter((part) => !isRun(part));
    // A reply that was taken back before it went on leaves its beginning.
    const isLeft = ({ type }: { type: string }, at: number) =>
      type === 'step-start' && [undefined, type].includes(shown[at + 1]?.type);
    const run = parts.findLast(isRun) as { data?: { status: string } } | undefined;
    return { parts: shown.filter((part, at) => !isLeft(part, at)), run };
  }

  test('the files of a reply are told with its end, once, also without words, and are in its messages (R178, R210)', async () => {
    const id = `f_${'a'.repeat(43)}`;
    const file = {
      type: 'file',
      id,
      mediaType: 'image/png',
      filename: 'picture.png',
      size: 7,
      sources: ['web'],
    } as const;
    const story = streamStory();
    story.next().say!();
    const head = { ...story.rows().head, status: 'done' as const };
    for (const text of ['Here.', '']) {
      const message = {
        seq: 2,
        version: 1,
        role: 'assistant',
        author: 'a',
        status: 'complete',
        createdAt: now.toISOString(),
        text,
        parts: [...(text ? [{ type: 'text', text }] : []), file],
      } as Message;
      const seen = { head, messages: [message], calls: [], callbacks: [] };
      const { moves, place } = movesSince(beginningAt(1), seen, now);
      expect(movesSince(place, seen, now).moves.filter(({ kind }) => kind === 'files')).toEqual([]);
      const chunks = aiSdkChunks(beginningAt(1), { moves, place });
      const { parts } = await messageOf(chunks);
      const providerMetadata = { vigil: { size: 7, filename: 'picture.png', sources: ['web'] } };
      expect(parts.filter(({ type }) => type === 'file')).toEqual([
        { type: 'file', mediaType: 'image/png', url: `vigil:${id}`, providerMetadata },
      ]);
      const files = [
        {
          type: 'image',
          source: { type: 'file', value: id, provider: 'vigil', mimeType: 'image/png' },
          metadata: { size: 7, filename: 'picture.png', sources: ['web'] },
        },
      ];
      expect(agUiEvents(moves).filter(({ type }) => type === 'CUSTOM')).toEqual([
        { type: 'CUSTOM', name: 'files', value: { messageId: 'm2', files } },
      ]);
      const [said] = agUiMessages(seen);
      expect(said).toMatchObject({ role: 'assistant', content: text, metadata: { files } });
    }
  });

  test('by the AI SDK: the message is the same as from one part (R178)', async () => {
    await fc.assert(
      fc.asyncProperty(told, async (story) => {
        const points = pointsOf(story);
        const inParts = await messageOf(toldAt(points, aiSdkChunks));
        const atOnce = await messageOf(toldAt(points.slice(-1), aiSdkChunks));
        expect({ ...inParts, run: undefined }).toEqual({ ...atOnce, run: undefined });
        if (atOnce.run) expect(inParts.run).toEqual(atOnce.run);
        else expect(['running', 'waiting', undefined]).toContain(inParts.run?.data?.status);
      }),
      { numRuns: fifthOf(150) },
    );
  });

  test('by AG-UI: its messages are those of the conversation (R178)', async () => {
    const warnings = jest.spyOn(console, 'warn').mockImplementation();
    await fc.assert(
      fc.asyncProperty(told, async (story) => {
        const points = pointsOf(story).filter(
          (seen, at, all) => at === all.length - 1 || seen.head.status === 'running',
        );
        const events = toldAt(points, (_, { moves }, seen) =>
          agUiEvents(moves, replaces(moves) ? whole(seen) : undefined),
        );
        const ends = events.filter(({ type }) => type === 'RUN_FINISHED');
        const shown = events.filter(({ type }) => type !== 'RUN_FINISHED');
        const run = { threadId: 'c', runId: 'r' };
        const last = points.at(-1)!;
        const open = events.findLast(({ type }) => type.startsWith('TEXT_MESSAGE'));
        const agent = new Told([
          { type: 'RUN_STARTED', ...run },
          ...shown,
          ...(open && open.type !== 'TEXT_MESSAGE_END'
            ? [{ type: 'TEXT_MESSAGE_END', messageId: open.messageId }]
            : []),
          { ...(ends.at(-1) ?? { type: 'RUN_FINISHED' }), ...run },
        ]);
        agent.setMessages(agUiMessages({ messages: last.messages.slice(0, 1), calls: [] }) as never);
        await agent.runAgent();
        expect(byId(agent.messages)).toEqual(byId(agUiMessages(last)));
      }),
      { numRuns: fifthOf(150) },
    );
    expect(warnings).not.toHaveBeenCalled();
  });

  test('as rows: what is merged is what a read has, and a client that knows all gets nothing (R178)', () => {
    fc.assert(
      fc.property(told, (story) => {
        let place: RowsPlace | undefined;
        let state = nothingKnown;
        const points = pointsOf(story);
        for (const seen of points) {
          const read = whole({ ...seen, messages: seen.messages.filter(({ seq }) => seq > (place?.after ?? 0)) });
          const news = rowsSince(place, { ...read, version: points.indexOf(seen) + 1 });
          state = mergeRows(state, news.rows);
          place = rowsPlaceIn(positionText(news.place));
          expect(rowsSince(place, { ...read, version: points.indexOf(seen) + 1 }).rows).toEqual([]);
        }
        const last = whole({ ...points.at(-1)! });
        const all = mergeRows(nothingKnown, rowsSince(undefined, { ...last, version: points.length }).rows);
        expect(conversationOf(state)).toEqual(conversationOf(all));
      }),
      { numRuns: fifthOf(150) },
    );
  });
});

class Told extends AbstractAgent {
  constructor(private readonly events: { type: string }[]) {
    super({ threadId: 'c' });
  }
  run() {
    return from(this.events as unknown as BaseEvent[]);
  }
}

/** A result comes when its call ends, so results of one step have no order. */
const byId = (messages: { id: string }[]) =>
  JSON.parse(JSON.stringify(messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))));

test('a long conversation’s position fits a header, and its old messages are not sent again (R178)', () => {
  const { head } = streamStory().rows();
  const rows = (kind: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${kind}${at}`,
      seq: at + 1,
      version: 1,
      status: 'complete',
      kind,
    }));
  const large = {
    messages: rows('m', 3_000),
    calls: rows('c', 900),
    callbacks: rows('b', 900),
    timers: rows('t', 900),
  };
  const conversation = { ...head, ...large, more: false } as unknown as Conversation;
  const { place } = rowsSince(undefined, conversation);
  expect(place.after).toBe(2_950);
  expect(positionText(place).length).toBeLessThan(8_000);
  const changed = { ...conversation, messages: conversation.messages.slice(2_950) };
  changed.calls = changed.calls.with(899, { ...changed.calls[899]!, version: 2 });
  expect(rowsSince(place, changed).rows.map(({ row }) => 'id' in row && row.id)).toEqual(['c899']);
});

test('no text ends an event or begins another one (R178)', () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom('\n\ndata: {}\n\n', '\r\rid: 7\r\r', '\u2028\u2029'), (text, bad) => {
      const data = { type: 'text-delta', delta: text + bad + text };
      const body = bodyOf([{ event: 'row', data }, { data }], 'abc', 100);
      const lines = body.split(/\r\n|\r|\n/);
      expect(lines.map((line) => line.split(':')[0])).toEqual(['retry', '', 'event', 'data', '', 'data', 'id', '', '']);
      for (const line of lines.filter((one) => one.startsWith('data'))) expect(JSON.parse(line.slice(6))).toEqual(data);
    }),
  );
});

test.each([
  'x',
  '',
  btoa('[]'),
  btoa('{"from":1}'),
  btoa('{"from":1,"seq":-1,"calls":{}}'),
  positionText({ after: 1, known: '' }),
])('what is no position in a turn is not read as one: %s (R178)', (text) => {
  expect(placeIn(text)).toBeUndefined();
});

test('a stream waits only while somebody works (R178)', () => {
  const { head } = streamStory().rows();
  const run = { id: 'r', status: 'running', agent: 'a', segment: 1, step: 1, usage: head.usage } as const;
  const pending = { runId: 'r', status: 'pending' } as const;
  const pace = (set: object, ...callbacks: object[]) =>
    paceOf({ ...head, run, ...set } as never, callbacks as never, now);
  expect(pace({ status: 'running' })).toBe('wait');
  expect(pace({ status: 'idle' })).toBe('rest');
  expect(pace({ status: 'sleeping', until: '2026-03-01T10:00:00.000Z' })).toBe('rest');
  expect(pace({ status: 'sleeping', until: '2026-03-01T09:00:00.000Z' })).toBe('wait');
  expect(pace({ status: 'waiting', waitsFor: 'you' }, { ...pending, kind: 'approval' })).toBe('rest');
  expect(pace({ status: 'waiting', waitsFor: 'agent' }, { ...pending, kind: 'agent' })).toBe('soon');
  expect(pace({ status: 'waiting', waitsFor: 'outside' }, { ...pending, kind: 'webhook' })).toBe('rest');
  expect(pace({ status: 'cancelling' })).toBe('soon');
  expect(pace({ status: 'failed' })).toBe('rest');
});

test('a reader is offered what they can decide or answer, and is told what others have decided (R265)', () => {
  const { head } = streamStory().rows();
  const step = { runId: 'r', step: 1, index: 0, version: 1, createdAt: now.toISOString() };
  const at = { seq: 2, version: 1, createdAt: now.toISOString(), runId: 'r', step: 1 };
  const reply = { ...at, role: 'assistant', author: 'a', text: 'I ask.', status: 'complete' } as Message;
  const call = { ...step, id: 'r.1.0', tool: 'pay', arguments: {}, status: 'waiting', attempts: 0 } as Call;
  const asked = { id: 'r.1.0', version: 1, callId: 'r.1.0', runId: 'r', prompt: 'Pay?', status: 'pending' };
  const approval = { ...asked, kind: 'approval', approvers: { group: 'finance' }, expiresAt: at.createdAt } as Callback;
  const question = { ...asked, kind: 'question', expiresAt: at.createdAt } as Callback;
  const waiting = { ...head, status: 'waiting', waitsFor: 'person', run: { id: 'r', step: 1, segment: 1 } } as never;
  const kindsFor = (callback: Callback, role: 'owner' | 'member' | 'watcher', ...groups: string[]) => {
    const reader = { user: 'ada', groups, claims: {}, role };
    const seen = { head: waiting, messages: [reply], calls: [call], callbacks: [callback], reader };
    const { moves } = movesSince(beginningAt(1), seen, now);
    const rest = moves.find((move) => move.kind === 'rest');
    const made = moves.find((move) => move.kind === 'call');
    return [moves.some(({ kind }) => kind === 'asked'), made?.question !== undefined, rest?.open.length];
  };
  expect(kindsFor(approval, 'owner')).toEqual([false, false, 0]);
  expect(kindsFor(approval, 'member', 'finance')).toEqual([true, false, 1]);
  expect(kindsFor({ ...approval, approvers: undefined }, 'owner')).toEqual([true, false, 1]);
  expect(kindsFor({ ...approval, approvers: undefined }, 'member')).toEqual([false, false, 0]);
  expect(kindsFor({ ...approval, excludesOwner: true }, 'owner', 'finance')).toEqual([false, false, 0]);
  expect(kindsFor(question, 'member')).toEqual([false, true, 1]);
  expect(kindsFor(question, 'watcher')).toEqual([false, false, 0]);
  // What nobody offered to the owner is told when it is decided.
  const decided = { ...approval, status: 'answered', outcome: { approved: true } } as Callback;
  expect(kindsFor(decided, 'owner')[0]).toBe(true);
});

test('what a reply cites is told after its text, once; without citations, what its provider’s tools found (R178, R204)', () => {
  const page = { title: 'Sights', url: 'https://kyoto.example/sights' };
  const file = { title: 'rules.pdf' };
  const use = { tool: 'web_search', input: 'Kyoto', status: 'completed', sources: [page, page, file] } as const;
  const story = streamStory();
  story.next().say!();
  const head = { ...story.rows().head, status: 'done' as const };
  const reply = {
    seq: 2,
    version: 1,
    role: 'assistant',
    author: 'a',
    status: 'complete',
    createdAt: now.toISOString(),
  } as const;
  const told = (more: Partial<Message>) => {
    const seen = { head, messages: [{ ...reply, text: 'Temples.', ...more }], calls: [], callbacks: [] };
    const { moves, place } = movesSince(beginningAt(1), seen, now);
    expect(movesSince(place, seen, now).moves.filter(({ kind }) => kind === 'sources')).toEqual([]);
    const chunks = aiSdkChunks(beginningAt(1), { moves, place }).map(({ type, url }) => [type, url]);
    return { chunks: chunks.slice(2, -3), events: agUiEvents(moves).filter(({ type }) => type === 'CUSTOM') };
  };
  const value = { messageId: 'm2', sources: [page] };
  for (const more of [{ citations: [page, file] }, { hosted: [use] }, { hosted: [use], citations: [page] }])
    expect(told(more as Partial<Message>)).toEqual({
      chunks: [...['text-start', 'text-delta', 'text-end'].map((type) => [type, undefined]), ['source-url', page.url]],
      events: [{ type: 'CUSTOM', name: 'sources', value }],
    });
  expect(told({ citations: [file], hosted: [use] as never }).events).toEqual([]);
});
