import fc from 'fast-check';
import { type Callback, type Conversation, type Message, noUsage } from '../../../../core/base/state/schemas';
import type { ChangedRow, LiveRow, PushedRow } from '../../../../core/people/live/live';
import { conversationOf, isBehind, type LiveState, mergeRows, nothingKnown, rowsOf } from './rows';

const at = '2026-03-01T08:00:00.000Z';
const message = (seq: number, version: number): Message => ({
  ...{ seq, version, role: 'assistant', author: 'reminder', status: version > 2 ? 'complete' : 'streaming' },
  ...{ text: 'A sentence. '.repeat(version), createdAt: at },
});
const callback = (version: number, status: Callback['status']): Callback => ({
  ...{ id: 'q', version, runId: 'r', kind: 'question', prompt: 'Well?', status, expiresAt: at },
});
const head = (version: number) => ({
  ...{ id: 'c', version, title: `Version ${version}`, agent: 'reminder', status: 'running' as const },
  ...{ createdAt: at, updatedAt: at, usage: noUsage },
});

/** A conversation whose messages change one by one, with a snapshot after each change. */
const historyOf = (changed: number[]): { pushes: LiveRow[]; pictures: Conversation[] } => {
  const versions = new Map<number, number>();
  const pushes: LiveRow[] = [];
  const pictures = changed.map((seq, index) => {
    versions.set(seq, (versions.get(seq) ?? 0) + 1);
    pushes.push(
      { kind: 'message', row: message(seq, versions.get(seq)!) },
      { kind: 'conversation', row: head(index + 1) },
    );
    const messages = [...versions].sort(([a], [b]) => a - b).map(([one, version]) => message(one, version));
    return { ...head(index + 1), messages, more: false, calls: [], callbacks: [], timers: [] };
  });
  return { pushes, pictures };
};

const changes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 });

test('reads and pushes may come in any order, twice or not at all: with the last read all that is there is known, once (R84)', () => {
  fc.assert(
    fc.property(changes, fc.infiniteStream(fc.nat()), (changed, dice) => {
      const { pushes, pictures } = historyOf(changed);
      const last = pictures.at(-1)!;
      const lots = [...pushes.map((row) => [row]), ...pictures.map(rowsOf)].flatMap((rows) => {
        const times = dice.next().value % 3;
        return Array.from({ length: times }, () => ({ rows, order: dice.next().value }));
      });
      lots.push({ rows: rowsOf(last), order: dice.next().value });
      const known = lots
        .sort((a, b) => a.order - b.order)
        .reduce<LiveState>((state, { rows }) => mergeRows(state, rows), nothingKnown);
      const { more: _, ...wanted } = last;
      expect(conversationOf(known)).toEqual(wanted);
    }),
  );
});

test('a read at the acknowledgement and all later pushes make the whole conversation (R84)', () => {
  fc.assert(
    fc.property(changes, fc.nat(), fc.infiniteStream(fc.nat()), (changed, cut, dice) => {
      const { pushes, pictures } = historyOf(changed);
      const acknowledged = cut % pictures.length;
      const lots = [rowsOf(pictures[acknowledged]!), ...pushes.slice(2 * acknowledged).map((row) => [row])];
      const shuffled = lots.map((rows) => ({ rows, order: dice.next().value })).sort((a, b) => a.order - b.order);
      const known = shuffled.reduce<LiveState>((state, { rows }) => mergeRows(state, rows), nothingKnown);
      const { more: _, ...wanted } = pictures.at(-1)!;
      expect(conversationOf(known)).toEqual(wanted);
    }),
  );
});

test('a row that has changed, but was too large to be pushed, is unread until it is read', () => {
  const changed: ChangedRow = { kind: 'message', key: '1', version: 3, changed: true };
  const old = mergeRows(nothingKnown, [{ kind: 'message', row: message(1, 2) }]);
  const told = mergeRows(old, [changed]);
  expect([...told.unread]).toEqual([['message 1', 3]]);
  expect([...mergeRows(told, [{ kind: 'message', row: message(1, 2) }]).unread]).toHaveLength(1);
  const read = mergeRows(told, [{ kind: 'message', row: message(1, 4) }]);
  expect([read.unread.size, mergeRows(read, [changed]).unread.size]).toEqual([0, 0]);
});

test('a callback that ran out is not open again because an earlier picture of the same version comes late', () => {
  const row = (status: Callback['status']): LiveRow => ({ kind: 'callback', row: callback(1, status) });
  const statusAfter = (...came: LiveRow[]) =>
    conversationOf(mergeRows(nothingKnown, [{ kind: 'conversation', row: head(1) }, ...came]))!.callbacks[0]!.status;
  expect(statusAfter(row('pending'), row('expired'))).toBe('expired');
  expect(statusAfter(row('expired'), row('pending'))).toBe('expired');
});

test('what is known of a conversation is nothing before its head is', () => {
  expect(conversationOf(mergeRows(nothingKnown, [{ kind: 'message', row: message(1, 1) }]))).toBeUndefined();
});

describe('a reply that is being written', () => {
  const text = 'One. Two. Three. Four. ';
  const written = (version: number, attempt: number, more: Partial<Message>): LiveRow => ({
    kind: 'message',
    row: { ...message(1, version), status: 'streaming', text: '', attempt, ...more },
  });
  const piece = (from: number, to: number, attempt = 1): PushedRow => ({
    kind: 'piece',
    row: { seq: 1, attempt, from, text: text.slice(from, to) },
  });
  const read = (to: number) =>
    rowsOf({
      ...conversation,
      messages: [{ ...message(1, 1), status: 'streaming', attempt: 1, text: text.slice(0, to) }],
    });
  const conversation = { ...head(1), more: false, calls: [], callbacks: [], timers: [] };
  const after = (came: PushedRow[][]) =>
    came.reduce<LiveState>(
      (state, rows) => mergeRows(state, rows),
      mergeRows(nothingKnown, [{ kind: 'conversation', row: head(1) }]),
    );
  const textAfter = (came: PushedRow[][]) => conversationOf(after(came))!.messages[0]?.text;

  test('its pieces make one text in any order, twice, and beside reads (R84, R184)', () => {
    const parts: PushedRow[][] = [
      [written(1, 1, {})],
      [piece(0, 5)],
      [piece(5, 10)],
      [piece(10, 17)],
      read(10),
      read(5),
      [piece(17, 23)],
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...parts, ...parts], { minLength: 2 * parts.length }), (came) => {
        expect(textAfter(came)).toBe(text);
        expect(isBehind(after(came))).toBe(false);
      }),
    );
  });

  test('after a lost piece, what follows waits for a read (R84, R184)', () => {
    const lost = [[written(1, 1, {})], [piece(0, 5)], [piece(10, 17)]];
    expect([textAfter(lost), isBehind(after(lost))]).toEqual(['One. ', true]);
    const found = [...lost, read(17)];
    expect([textAfter(found), isBehind(after(found))]).toEqual(['One. Two. Three. ', false]);
  });

  test('pieces of an earlier attempt, and those that come after the end, change nothing (R29, R184)', () => {
    const again = [[written(1, 1, {})], [piece(0, 10)], [written(2, 2, {})], [piece(10, 17)], [piece(0, 5, 2)]];
    expect(textAfter(again)).toBe('One. ');
    const done = [...again, [written(3, 2, { status: 'complete', text: 'Whole.' })], [piece(5, 10, 2)]];
    expect(textAfter(done)).toBe('Whole.');
    expect(after(done).pieces.size).toBe(0);
    // A piece may come before the row of its attempt.
    expect(textAfter([[written(1, 1, {})], [piece(0, 5, 2)], [written(2, 2, {})]])).toBe('One. ');
  });
});
