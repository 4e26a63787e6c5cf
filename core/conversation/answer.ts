import { readCallsOfStep, stepPrefix } from '../calls/call';
import { isOpen, resumeRoute } from '../calls/callback';
import { storeResult } from '../calls/result';
import { statusWith } from '../decisions/route';
import { key, type Meta, StoredCallback } from '../store/rows';
import { readRows, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { clip } from '../text/clip';

/** An answer in words, or a decision about a tool call. */
export type Answer =
  | { answer: string }
  | { approved: true; arguments?: object }
  | { approved: false; reason?: string }
  /** Of another agent: what it says in the end, or why there is nothing. */
  | { agent: string; said: string }
  | { agent: string; failed: string };

/** A callback whose outcome is being committed: the rows to write, and what its execution is to be told once they are. */
export interface Answered {
  id: string;
  /** Of the waiting executions, as far as they have come yet; the relay tells the others. */
  taskTokens: string[];
  /** Where the call goes from here. */
  route: string;
  callId?: string;
  rows: RowWrite[];
  /** The run's status from here on. */
  status: Pick<Meta, 'status' | 'until' | 'waitsFor'>;
}

/** Callback and answer share a row of at most 400 KB; the whole answer is the message, or the call's result. */
const answerBytes = 50_000;

/** What the run's last step waits on. */
export async function openCallbacks(table: Table, meta: Meta, now: Date): Promise<StoredCallback[]> {
  const { run, conversationId } = meta;
  if (run?.status !== 'waiting') return [];
  const prefix = key.callback(stepPrefix(run.id, run.step));
  const rows = await readRows(table, conversationId, prefix, `${prefix}~`);
  return rows.map((row) => StoredCallback.parse(row)).filter((callback) => isOpen(callback, now));
}

/**
 * The outcome of a callback, to be committed before any token is used: whichever commits first, answer, expiry or cancel,
 * holds. The versions in the conditions see to that, and also fence the token: were it stored between our read and this
 * write, nobody would use it.
 */
export async function answered(
  table: Table,
  meta: Meta,
  callback: StoredCallback,
  answer: Answer,
  now: Date,
): Promise<Answered> {
  const { id, taskTokens = [], version, callId } = callback;
  const outcome = clipped(answer);
  const set = { status: 'answered', outcome: JSON.stringify(outcome), closedAt: now.toISOString(), outbox: 'answer' };
  const told = { id, taskTokens, callId, route: resumeRoute({ ...callback, outcome }) };
  const row: RowWrite = { sk: key.callback(id), set, onlyIf: { version } };
  if (!callId) return { ...told, rows: [row], status: { status: 'running', until: undefined } };
  const run = meta.run!;
  const calls = await readCallsOfStep(table, meta.conversationId, run.id, run.step);
  const status = 'approved' in answer && answer.approved ? 'queued' : 'completed';
  const after = calls.map((call) => (call.id === callId ? ({ ...call, status } as const) : call));
  return { ...told, rows: [row, ...callRows(callId, answer, now)], status: statusWith(after) };
}

function clipped(answer: Answer): Answer {
  if ('answer' in answer) return { answer: clip(answer.answer, answerBytes) };
  return 'said' in answer ? { ...answer, said: clip(answer.said, answerBytes) } : answer;
}

function callRows(callId: string, answer: Answer, now: Date): RowWrite[] {
  const waits = { status: 'waiting' };
  const sk = key.call(callId);
  const over = { completedAt: now.toISOString() };
  if ('answer' in answer) {
    const { fields, rows } = storeResult(callId, answer.answer, 1_000_000);
    return [{ sk, set: { status: 'completed', ...fields, ...over }, onlyIf: waits }, ...rows];
  }
  if ('said' in answer) {
    const { fields, rows } = storeResult(callId, answer, 1_000_000);
    return [{ sk, set: { status: 'completed', ...fields, ...over }, onlyIf: waits }, ...rows];
  }
  if ('failed' in answer) return [{ sk, set: { status: 'failed', error: answer.failed, ...over }, onlyIf: waits }];
  if (answer.approved) {
    const edited = answer.arguments && { arguments: JSON.stringify(answer.arguments), edited: true };
    return [{ sk, set: { status: 'queued', ...edited }, onlyIf: waits }];
  }
  const error = `Not approved, so it was not done.${answer.reason ? ` The reason: ${clip(answer.reason, 2_000)}` : ''}`;
  return [{ sk, set: { status: 'failed', error, ...over }, onlyIf: waits }];
}
