import { type Agent, defineAgent } from '../agent/agent';
import type { StoredMessage } from '../rows/rows';
import { summaryRequest } from './summary';
import { transcript } from './transcript';

const agent = defineAgent({
  ...{ name: 'a', purpose: 'p', instructions: 'Be good.', model: 'm', tools: [], contextTokens: 1_000 },
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
