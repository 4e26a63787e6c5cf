import type { Item } from '../../base/content/items';
import { type Agent, defineAgent } from '../agent/agent';
import type { StoredMessage } from '../rows/rows';
import { summaryRequest, withoutOldFiles } from './summary';
import { transcript } from './transcript';

const agent = defineAgent({
  name: 'a',
  purpose: 'p',
  instructions: 'Be good.',
  model: 'm',
  tools: [],
  contextTokens: 1_000,
});
const createdAt = '2026-03-01T08:00:00.000Z';
const message = (seq: number, role: 'user' | 'assistant', text: string, more: Partial<StoredMessage> = {}) =>
  ({ seq, version: 1, role, author: role, text, status: 'complete', createdAt, ...more }) as StoredMessage;

const requestFor = (by: Agent, messages: StoredMessage[]) =>
  summaryRequest(by, { messages, calls: [] }, { before: 21 });

/** A long conversation with an unread, queued message in its first half. */
const talk = [
  message(1, 'user', 'Begin', { readBySeq: 2 }),
  message(2, 'assistant', 'x'.repeat(300)),
  message(3, 'user', 'The queued one', { status: 'pending' }),
  ...Array.from({ length: 17 }, (_, index) => message(4 + index, 'assistant', 'x'.repeat(300))),
];

test('a summary does not cover an unread message, wherever it is in the log (R110)', () => {
  const request = requestFor(agent, talk)!;
  expect(request.covers).toBeGreaterThan(3);
  expect(JSON.stringify(request.items)).not.toContain('The queued one');
  const summary = message(21, 'assistant', 'All about x.', { role: 'system', covers: request.covers });
  const after = [...talk, summary].map((one) => (one.seq === 3 ? { ...one, status: 'complete', readBySeq: 22 } : one));
  const read = transcript(after as StoredMessage[], [], { before: 22 });
  expect(read.at(-1)).toEqual({ kind: 'message', by: 'user', text: 'The queued one' });
  expect(JSON.stringify(read[0])).toContain('All about x.');
});

test('a summary may be another model’s work (R134)', () => {
  const thrifty = defineAgent({ ...agent, summaryModel: 'small' });
  expect(requestFor(thrifty, talk)!.agent.model).toEqual({ name: 'small' });
  expect(requestFor(agent, talk)!.agent.model).toEqual({ name: 'm' });
});

test('what a summary does not cover follows it as it was said', () => {
  const said = talk.filter(({ seq }) => seq !== 3).map((one) => ({ ...one, text: `${one.seq}:${one.text}` }));
  const { covers } = requestFor(agent, said)!;
  const summary = message(21, 'assistant', 'Short.', { role: 'system', covers });
  const follows = JSON.stringify(transcript([...said, summary], [], { before: 22 }));
  for (const { seq } of said) expect([seq, follows.includes(`"${seq}:`)]).toEqual([seq, seq > covers]);
});

test('a summary of nothing is not asked for: of a single reply and the words that it has read', () => {
  const long = 'x'.repeat(1_000);
  const said = [message(1, 'user', long, { readBySeq: 2 }), message(2, 'assistant', long), message(3, 'user', long)];
  expect(requestFor(agent, said)).toBeUndefined();
  expect(requestFor(agent, [...said, message(4, 'assistant', long), message(5, 'user', long)])).toMatchObject({
    covers: 3,
  });
});

describe('files in a long conversation (R212)', () => {
  const sees = defineAgent({ ...agent, model: 'gpt-6.1-sol', contextTokens: 20_000 });
  const photo = (index: number) => ({
    type: 'file' as const,
    id: `f_${String(index).padStart(43, 'a')}`,
    mediaType: 'image/png',
    size: 100_000,
  });
  const shows = (index: number, words = 'Look'): Item => ({
    kind: 'message',
    by: 'user',
    text: words,
    files: [photo(index)],
  });
  const kept = (items: Item[]) =>
    withoutOldFiles(items, sees.model, sees.contextTokens).flatMap((item) =>
      'files' in item ? item.files![0]!.id : [],
    );

  test('the oldest go when the window fills, with a line that says so, and the newest stays', () => {
    const items = Array.from({ length: 12 }, (_, index) => shows(index));
    const read = withoutOldFiles(items, sees.model, sees.contextTokens);
    expect(read[0]).toEqual({
      kind: 'message',
      by: 'user',
      text: `Look\n[The picture ${photo(0).id} is no longer shown.]`,
    });
    expect(read.at(-1)).toBe(items.at(-1));
    const long = [shows(0), shows(1), { ...shows(2), text: 'x'.repeat(90_000) }];
    expect(kept(long)).toEqual([photo(2).id]);
  });

  test('whatever follows, most requests begin as the one before', () => {
    const items = Array.from({ length: 60 }, (_, index) => shows(index));
    const firsts = items.map((_, index) => kept(items.slice(0, index + 1))[0]);
    const changes = firsts.filter((one, index) => index > 0 && one !== firsts[index - 1]).length;
    expect(changes).toBeGreaterThan(5);
    expect(changes).toBeLessThan(20);
    for (const [index] of items.entries()) {
      if (index === 0 || firsts[index] !== firsts[index - 1]) continue;
      const [before, now] = [items.slice(0, index), items.slice(0, index + 1)].map((some) =>
        withoutOldFiles(some, sees.model, sees.contextTokens),
      );
      expect(now!.slice(0, index)).toEqual(before);
    }
  });

  test('pictures go before words are summarised, and a transcript without files is the same', () => {
    const few = talk.slice(3);
    const parts = Array.from({ length: 7 }, (_, index) => ({ ...photo(index), sources: ['file' as const] }));
    const messages = few.map((one, index) =>
      index < 7
        ? { ...one, role: 'user' as const, parts: [{ type: 'text' as const, text: one.text }, parts[index]!] }
        : one,
    ) as StoredMessage[];
    const whole = transcript(messages, [], { before: 21 });
    const by = { ...sees, contextTokens: 14_000 };
    const asked = (read: Item[]) => summaryRequest(by, { messages, calls: [] }, { before: 21, whole: read });
    expect(asked(whole)).toBeDefined();
    expect(asked(withoutOldFiles(whole, by.model, by.contextTokens))).toBeUndefined();
    const words = transcript(few, [], { before: 21 });
    expect(withoutOldFiles(words, by.model, 100)).toBe(words);
  });
});
