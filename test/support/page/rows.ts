import type { Call, Callback, ConversationSummary, Message } from '../../../core/base/state/schemas';

/** Default rows for tests. Each test sets only what it is about. */
const createdAt = '2026-03-01T08:00:00.000Z';

export const message = (seq: number, rest: Partial<Message> = {}): Message => ({
  seq,
  version: 1,
  role: 'assistant',
  author: 'travel',
  text: `Text ${seq}.`,
  status: 'complete',
  createdAt,
  ...rest,
});

export const call = (id: string, rest: Partial<Call> = {}): Call => ({
  id,
  version: 1,
  runId: 'r',
  step: 1,
  index: 0,
  tool: 'internet_search',
  arguments: { query: 'kyoto may' },
  status: 'completed',
  attempts: 1,
  createdAt,
  ...rest,
});

export const callback = (id: string, rest: Partial<Callback> = {}): Callback => ({
  id,
  version: 1,
  runId: 'r',
  kind: 'approval',
  prompt: 'Pay?',
  status: 'pending',
  expiresAt: '2026-03-08T08:00:00.000Z',
  ...rest,
});

export const summary = (id: string, rest: Partial<ConversationSummary> = {}): ConversationSummary => ({
  id,
  version: 1,
  title: id,
  agent: 'travel',
  status: 'done',
  createdAt,
  updatedAt: createdAt,
  ...rest,
});
