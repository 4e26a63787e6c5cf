import type { Call, Conversation, Message } from '../../../core/base/state/schemas';

const noUsage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicrodollars: 0, unpricedCalls: 0 };
const said = (seq: number, text: string): Message => ({
  seq,
  version: 1,
  role: 'user',
  author: 'ada',
  text,
  status: 'complete',
  createdAt: `2026-11-0${seq < 6 ? 2 : 5}T09:00:00.000Z`,
});
const replied = (seq: number, runId: string, step: number, more: Partial<Message> = {}): Message => ({
  ...said(seq, 'Yes.'),
  role: 'assistant',
  author: 'bank',
  runId,
  step,
  ...more,
});

/** A conversation of two runs, as the API returns it. The second step of the first run was cut off, and made again. */
export const recordedConversation = (calls: Call[] = []): Conversation => ({
  id: 'c_1',
  version: 9,
  title: 'Money',
  agent: 'bank',
  status: 'done',
  usage: noUsage,
  more: false,
  createdAt: '2026-11-02T09:00:00.000Z',
  updatedAt: '2026-11-05T09:00:00.000Z',
  messages: [
    said(1, 'Send 900 to Ada'),
    replied(2, 'r_1', 1),
    replied(3, 'r_1', 2, { status: 'cancelled' }),
    replied(4, 'r_1', 2),
    said(5, 'And again'),
    replied(6, 'r_2', 1),
  ],
  calls,
  callbacks: [],
  timers: [],
});

/** A recorded call. */
export const recordedCall = (runId: string, step: number, more: Partial<Call>): Call => ({
  id: `${runId}.${step}.${JSON.stringify(more)}`,
  version: 1,
  runId,
  step,
  index: 0,
  tool: 'transfer',
  status: 'completed',
  attempts: 1,
  createdAt: '2026-11-02T09:00:00.000Z',
  ...more,
});
