import { call, callback, message } from '../../../test/support/page/rows';
import type { Unsent } from '../kept/unsent';
import { openQuestion, openToPeople, transcript } from './transcript';

const empty = { messages: [], calls: [], callbacks: [] };
const kinds = (items: ReturnType<typeof transcript>) => items.map(({ kind, key }) => `${kind} ${key}`);
const unsent: Unsent = {
  clientMessageId: 'mine',
  conversationId: 'c',
  text: 'Hi',
  status: 'sending',
  createdAt: '',
};

test('a step’s calls follow its message, in the order of the reply', () => {
  const messages = [
    message(1, { role: 'user', author: 'ada' }),
    message(2, { runId: 'r', step: 1 }),
    message(3, { runId: 'r', step: 2 }),
  ];
  const calls = [call('b', { index: 1 }), call('a', { index: 0 }), call('c', { step: 2 })];
  expect(kinds(transcript({ ...empty, messages, calls }, []))).toEqual([
    'said m1',
    'speaker s2',
    'answer m2',
    'call ca',
    'call cb',
    'answer m3',
    'call cc',
  ]);
});

test('a sent message keeps its key when its row arrives, so it stays the same element (R77)', () => {
  const before = transcript(empty, [unsent]);
  const messages = [message(1, { role: 'user', clientMessageId: 'mine' })];
  const after = transcript({ ...empty, messages }, []);
  expect(before.map(({ key }) => key)).toEqual(after.map(({ key }) => key));
});

test('a reply of calls alone shows its calls under the author, and no empty message', () => {
  const messages = [message(1, { text: '', runId: 'r', step: 1 })];
  expect(kinds(transcript({ ...empty, messages, calls: [call('a')] }, []))).toEqual(['speaker s1', 'call ca']);
});

test('a call whose message has not arrived yet is shown', () => {
  expect(kinds(transcript({ ...empty, calls: [call('a')] }, []))).toEqual(['call ca']);
});

test('an empty message is shown while it is written, and when it was interrupted', () => {
  for (const status of ['streaming', 'cancelled'] as const)
    expect(kinds(transcript({ ...empty, messages: [message(1, { text: '', status })] }, []))).toContain('answer m1');
});

test('the author is shown once, and again after another author', () => {
  const messages = [
    message(1),
    message(2),
    message(3, { author: 'bank' }),
    message(4, { role: 'user' }),
    message(5, { author: 'bank' }),
  ];
  expect(kinds(transcript({ ...empty, messages }, []))).toEqual([
    'speaker s1',
    'answer m1',
    'answer m2',
    'speaker s3',
    'answer m3',
    'said m4',
    'speaker s5',
    'answer m5',
  ]);
});

test('deliveries, notes, summaries and hand-offs are distinguished', () => {
  const messages = [
    message(1, { callId: 'x' }),
    message(2, { role: 'system', author: 'vigil' }),
    message(3, { role: 'system', author: 'vigil', covers: 2 }),
    message(4, { text: '', runId: 'r', step: 1, author: 'bank' }),
  ];
  const calls = [call('h', { tool: 'hand_off_to_account_manager' })];
  const items = transcript({ ...empty, messages, calls }, []);
  expect(items.map(({ kind }) => kind)).toEqual(['delivered', 'note', 'summary', 'speaker', 'hand-off']);
  expect(items.at(-1)).toMatchObject({ to: 'account-manager' });
});

test('a question outside any call is answered by the next message; that of a call in its card', () => {
  const ofCall = callback('a', { kind: 'question', callId: 'a' });
  const own = callback('q', { kind: 'question' });
  expect(openQuestion({ callbacks: [ofCall, own] })).toBe(own);
  expect(openToPeople({ callbacks: [ofCall, own, callback('w', { kind: 'webhook' })] })).toEqual([ofCall, own]);
});

test('a hand-over to a person is a card, also when it is given back, with the note (R228)', () => {
  const handOver = callback('h', { kind: 'person', callId: 'h', status: 'answered' });
  const calls = [call('h', { tool: 'hand_off_to_person', callbackId: 'h', status: 'completed' })];
  const note = message(2, { role: 'user', author: 'hal', callId: 'h', text: 'Done.' });
  const items = transcript({ ...empty, messages: [message(1, { text: '' }), note], calls, callbacks: [handOver] }, []);
  expect(items.map(({ kind }) => kind).sort()).toEqual(['call', 'said']);
  expect(items.find(({ kind }) => kind === 'call')).toMatchObject({ card: { note: { text: 'Done.' } } });
  expect(openToPeople({ callbacks: [{ ...handOver, status: 'pending' }] })).toEqual([]);
});
