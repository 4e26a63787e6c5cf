import fc from 'fast-check';
import { type Callback, type Conversation, type Message, noUsage } from '../../../../core/base/state/schemas';
import type { ChangedRow, LiveRow, PushedRow } from '../../../../core/people/live/live';
import { conversationOf, isBehind, type LiveState, mergeDelta, mergeRows, nothingKnown, rowsOf } from './rows';

const at = '2026-03-01T08:00:00.000Z';
const message = (seq: number, version: number): Message => ({
  seq,
  version,
  role: 'assistant',
  author: 'reminder',
  status: version > 2 ? 'complete' : 'streaming',
  text: 'A sentence. '.repeat(version),
  createdAt: at,
});
const callback = (version: number, status: Callback['status']): Callback => ({
  id: 'q',
  version,
  runId: 'r',
  kind: 'question',
  prompt: 'Well?',
  status,
  expiresAt: at,
});
const head = (version: number) => ({
  id: 'c',
  version,
  title: `Version ${version}`,
  agent: 'reminder',
  status: 'running' as const,
  createdAt: at,
  updatedAt: at,
  usage: noUsage,
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
    expect(after(done).growing.size).toBe(0);
    // A piece may come before the row of its attempt.
    expect(textAfter([[written(1, 1, {})], [piece(0, 5, 2)], [written(2, 2, {})]])).toBe('One. ');
  });

  test('a piece of a message whose row was lost, and one of a later attempt, wait for a read (R84, R207)', () => {
    expect(isBehind(after([[piece(0, 5)]]))).toBe(true);
    expect(isBehind(after([[written(1, 1, {})], [piece(0, 5)]]))).toBe(false);
    expect(isBehind(after([[written(1, 1, {})], [piece(0, 5, 2)]]))).toBe(true);
  });
});

describe('deltas of a reply (R207)', () => {
  /** The texts of two attempts, which share no beginning. */
  const texts = ['', 'One. Two 🙂. Three. Four. ', 'Un. Deux. Trois. Quatre. '];
  const row = (version: number, attempt: number, more: Partial<Message> = {}): Came => ({
    rows: [
      {
        kind: 'message',
        row: { ...message(2, version), status: 'streaming', text: '', attempt, createdAt: at, ...more },
      },
    ],
  });
  type Came = { rows: PushedRow[] } | { delta: Parameters<typeof mergeDelta>[1] };
  const part = (attempt: number, from: number, to: number) => ({
    seq: 2,
    attempt,
    from,
    text: texts[attempt]!.slice(from, to),
  });
  /** Cuts the text of an attempt at these places. */
  const partsOf = (attempt: number, places: number[]) => {
    const { length } = texts[attempt]!;
    const cuts = [...new Set([0, ...places.map((place) => place % length), length])].sort((a, b) => a - b);
    return cuts.slice(1).map((end, index) => part(attempt, cuts[index]!, end));
  };
  const begun: LiveState = mergeRows(nothingKnown, [
    { kind: 'conversation', row: head(1) },
    { kind: 'message', row: message(1, 3) },
  ]);
  const merged = (state: LiveState, came: Came) =>
    'delta' in came ? mergeDelta(state, came.delta) : mergeRows(state, came.rows);
  const shown = (state: LiveState) => conversationOf(state)!.messages.find(({ seq }) => seq === 2);
  const places = fc.array(fc.nat(), { maxLength: 8 });
  /** Everything that two attempts send: their rows, the pieces in the table, and deltas that are cut elsewhere. */
  const sent = fc
    .tuple(places, places, places, places)
    .map(([a, b, c, d]): Came[] => [
      row(1, 1),
      ...partsOf(1, a).map((piece): Came => ({ rows: [{ kind: 'piece', row: piece }] })),
      ...partsOf(1, b).map((delta): Came => ({ delta })),
      row(2, 2),
      ...partsOf(2, c).map((piece): Came => ({ rows: [{ kind: 'piece', row: piece }] })),
      ...partsOf(2, d).map((delta): Came => ({ delta })),
    ]);
  const complete = row(3, 2, { status: 'complete', text: texts[2] });

  test('in any order, lost and doubled, they show a beginning of the latest attempt’s text, and end with that of the rows', () => {
    fc.assert(
      fc.property(sent, fc.infiniteStream(fc.nat()), (all, dice) => {
        const lots = [...all, complete]
          .flatMap((came) => Array.from({ length: dice.next().value % 3 }, () => ({ came, order: dice.next().value })))
          .sort((a, b) => a.order - b.order);
        let [state, latest, isComplete] = [begun, 0, false];
        for (const { came } of lots) {
          state = merged(state, came);
          const one = 'delta' in came ? came.delta : (came.rows[0] as { row: Message }).row;
          latest = Math.max(latest, one.attempt!);
          isComplete ||= came === complete;
          const { text, attempt, status } = shown(state) ?? { text: '' };
          if (attempt)
            expect({ attempt, text }).toEqual({ attempt: latest, text: texts[latest]!.slice(0, text.length) });
          if (isComplete) expect({ text, status }).toEqual({ text: texts[2], status: 'complete' });
        }
        // What a read at the end brings: the next pong, or at once where something is missing.
        const end = mergeRows(state, 'rows' in complete ? complete.rows : []);
        expect([shown(end)!.text, end.growing.size, isBehind(end)]).toEqual([texts[2], 0, false]);
      }),
    );
  });

  test('with all rows of the latest attempt, the text is whole, whatever was lost of the deltas, and nothing is read', () => {
    fc.assert(
      fc.property(sent, fc.infiniteStream(fc.nat()), (all, dice) => {
        const came = all
          .filter((one) => 'rows' in one || dice.next().value % 2 === 0)
          .map((one) => ({ one, order: dice.next().value }))
          .sort((a, b) => a.order - b.order);
        const end = came.reduce((state, { one }) => merged(state, one), begun);
        expect([shown(end)!.text, isBehind(end)]).toEqual([texts[2], false]);
      }),
    );
  });

  test('a delta before a gap is shown when its row or a delta fills it; a lost delta causes no read', () => {
    const lost = [row(1, 1), { delta: part(1, 0, 3) }, { delta: part(1, 6, 9) }].reduce(merged, begun);
    expect([shown(lost)!.text, isBehind(lost)]).toEqual(['One', false]);
    const repaired = merged(lost, { rows: [{ kind: 'piece', row: part(1, 0, 8) }] });
    expect(shown(repaired)!.text).toBe(texts[1]!.slice(0, 9));
  });

  test('a delta of a new attempt ends the text of the last one, before its row is here', () => {
    const written = [row(1, 1), { delta: part(1, 0, 9) }].reduce(merged, begun);
    const again = [{ delta: part(2, 0, 2) }, { delta: part(1, 9, 12) }].reduce(merged, written);
    expect(shown(again)).toMatchObject({ attempt: 2, text: 'Un', status: 'streaming' });
    expect(isBehind(again)).toBe(true);
    const known = merged(again, row(2, 2));
    expect([shown(known)!.text, isBehind(known)]).toEqual(['Un', false]);
  });

  test('a delta that comes after the end changes nothing, and neither does one of another message’s', () => {
    for (const status of ['complete', 'cancelled', 'error'] as const) {
      const end = merged(begun, row(2, 1, { status, text: 'One.' }));
      expect(mergeDelta(end, part(1, 0, 9))).toBe(end);
    }
    const whole = merged(begun, row(2, 1, { status: 'complete', text: 'One.' }));
    expect(mergeDelta(whole, part(2, 0, 9))).toBe(whole);
    const user = mergeRows(begun, [{ kind: 'message', row: { ...message(2, 1), role: 'user', text: 'Hi' } }]);
    expect(mergeDelta(user, part(1, 0, 9))).toBe(user);
  });
});
