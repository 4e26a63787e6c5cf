import {
  type Call,
  type Callback,
  type ConversationSummary,
  type Message,
  noUsage,
} from '../../../core/base/state/schemas';
import type { StoredRun } from '../../../core/conversations/rows/meta';
import type { StoredCall } from '../../../core/conversations/rows/rows';

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

/** A call as its row has it. */
export const storedCall = (id: string, createdAt: string, rest: Partial<StoredCall> = {}): StoredCall => ({
  id,
  version: 1,
  runId: 'r',
  step: 1,
  index: 0,
  tool: 'transfer',
  arguments: '{}',
  status: 'queued',
  attempts: 0,
  user: 'ada',
  agent: 'bank',
  modelCallId: 'm',
  createdAt,
  ...rest,
});

/** A run as the row of its conversation has it. */
export const storedRun = (id: string, status: string, startedAt: string, rest: Partial<StoredRun> = {}): StoredRun => ({
  id,
  status: status as StoredRun['status'],
  agent: 'reminder',
  segment: 1,
  step: 1,
  usage: noUsage,
  lastRead: { seq: 0, step: 0 },
  segmentStartedAt: startedAt,
  segmentEvents: 0,
  startedAt,
  ...rest,
});
