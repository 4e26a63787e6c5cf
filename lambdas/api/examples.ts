import { typeOfProblem } from '../../core/base/state/problem-kinds';
import type * as rows from '../../core/base/state/schemas';
import type { Locale } from '../../core/base/time/time-zone';
import type { Allowance } from '../../core/people/views/allowance';

// What the OpenAPI document shows: a reminder, while it sleeps, and a payment that waits for its approval.

const id = 'c_5f0c1e6a7b3d4c2e9a8f1b2c3d4e5f60';
const runId = 'r_000001_5f0c1e6a7b3d4c2e9a8f1b2c3';
const callId = `${runId}.1.0`;
const createdAt = '2026-03-01T08:00:00.000Z';
const until = '2026-03-02T08:00:00.000Z';

const wish = 'Remind me tomorrow at 8am to water the plants';
export const settings: Locale = { timeZone: 'Europe/Berlin', language: 'de-CH' };

export const start = { agent: 'reminder', text: wish, id: 'plants', ...settings };
export const createTimer = {
  agent: 'reminder',
  name: 'Plants',
  text: 'Which plants need water today?',
  id: 'plants-weekly',
  cron: '0 9 * * 1',
  timeZone: 'Europe/Berlin',
  overlap: 'skip',
};
export const send = { text: 'At 9, please.', clientMessageId: 'my-id-2' };
const fileId = 'f_dtpf7jX0bQE1r3MGy0kJmZVtcN8rY3t5eEtXQ0l1yHk';
export const announcedFile = {
  size: 81_920,
  mediaType: 'image/jpeg',
  sha256: 'dtpf7jX0bQE1r3MGy0kJmZVtcN8rY3t5eEtXQ0l1yHk=',
};
export const parts = [
  { type: 'text', text: 'What did I pay?' },
  { type: 'file', id: fileId, filename: 'receipt.jpg' },
];
export const fork = { step: 2, text: 'Remind me tomorrow at 9am', id: 'plants-at-9' };
export const arrange = { title: 'Plants', pinned: true };
export const answers = [
  { answer: 'Window' },
  { approved: true, arguments: { to: 'Ben', cents: 9_000 } },
  { approved: false, reason: 'Ask me again in March.' },
];

export const agent: rows.AgentCard = {
  name: 'reminder',
  purpose: 'Reminds you of something at the time you say, once or again and again.',
  examples: [wish],
};

export const usage: rows.Usage = {
  modelCalls: 2,
  toolCalls: 2,
  inputTokens: 1_400,
  outputTokens: 90,
  costMicrodollars: 1_150,
};

export const run: rows.Run = { id: runId, status: 'sleeping', agent: 'reminder', segment: 1, step: 2, until, usage };

export const message: rows.Message = {
  seq: 1,
  version: 2,
  role: 'user',
  author: 'ada',
  text: wish,
  status: 'complete',
  clientMessageId: 'my-id-1',
  readBySeq: 2,
  createdAt,
};

export const call: rows.Call = {
  id: callId,
  version: 3,
  runId,
  step: 1,
  index: 0,
  tool: 'current_time',
  kind: 'function',
  arguments: {},
  status: 'completed',
  attempts: 1,
  result: { now: createdAt },
  createdAt,
  startedAt: createdAt,
  completedAt: createdAt,
};

export const callback: rows.Callback = {
  id: `${runId}.2.0`,
  version: 1,
  callId: `${runId}.2.0`,
  runId,
  kind: 'approval',
  prompt: 'Pay 120 dollars?',
  tool: 'transfer',
  arguments: { to: 'Ben', cents: 12_000 },
  status: 'pending',
  createdAt,
  expiresAt: until,
};

export const timer: rows.Timer = {
  id: `${runId}.3.0`,
  version: 1,
  kind: 'repeat',
  nextAt: until,
  rule: '0 9 * * 1',
  timeZone: 'Europe/Berlin',
  text: 'Water the plants',
  status: 'active',
  fired: 0,
  createdAt,
};

export const summary: rows.ConversationSummary = {
  id,
  version: 7,
  title: 'Water the plants',
  agent: 'reminder',
  status: 'sleeping',
  until,
  createdAt,
  updatedAt: createdAt,
};

export const conversation: rows.Conversation = {
  ...summary,
  run,
  usage,
  messages: [message],
  more: false,
  calls: [call],
  callbacks: [],
  timers: [],
};

export const allowance: Allowance = {
  per: 'day',
  what: 'steps',
  used: 12,
  most: 3_000,
  variable: 'VIGIL_MAX_USER_DAY_STEPS',
};

export const problem = {
  type: typeOfProblem('invalid-input'),
  title: 'Bad request',
  status: 400,
  detail: 'text: is too short',
  errors: [{ path: 'text', message: 'is too short' }],
};
