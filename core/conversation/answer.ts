import { sourcesOfApprover } from '../calls/approved';
import { readCallsOfStep, stepPrefix } from '../calls/call';
import { closing, isOpen, resumeRoute } from '../calls/callback';
import { storeResult } from '../calls/result';
import { statusWith } from '../decisions/route';
import { key } from '../rows/keys';
import { parsedAs } from '../rows/kinds';
import type { Meta } from '../rows/meta';
import { type StoredCall, StoredCallback } from '../rows/rows';
import type { ServerAnswer, ServerQuestion } from '../state/isolated-call';
import type { Source } from '../state/sources';
import { readRows, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { clip } from '../text/clip';

/** The outcome of a callback: an answer in words, a decision about a tool call, or a sub-agent's result. */
export type Answer =
  | { answer: string }
  /** `digest`: of the approved arguments, see `core/calls/approved.ts`. `by`: the user who decided. */
  | { approved: true; by: string; via?: 'notification'; arguments?: object; digest: string }
  | { approved: false; by: string; reason?: string }
  /** What a server asked for in the middle of a call: the user's form, or a refusal. */
  | { approved: true; by: string; via?: 'notification'; arguments: object; asked: ServerQuestion }
  /** A sub-agent's last words, or why there are none. */
  | { agent: string; said: string; sources?: Source[] }
  | { agent: string; failed: string };

/** The outcome of a callback: the rows to commit, and what to send to its execution afterwards. */
export interface Answered {
  id: string;
  /** The tokens stored so far. Relay resumes executions whose token is stored later. */
  taskTokens: string[];
  /** The route that resumes the call. */
  route: string;
  callId?: string;
  rows: RowWrite[];
  /** The run's status after the outcome. */
  status: Pick<Meta, 'status' | 'until' | 'waitsFor'>;
}

/** The callback and its answer share a row of at most 400 KB. The full answer is in the message or the call's result. */
const answerBytes = 50_000;

/** Returns the open callbacks of the run's last step. */
export async function openCallbacks(table: Table, meta: Meta, now: Date): Promise<StoredCallback[]> {
  const { run, conversationId } = meta;
  if (run?.status !== 'waiting') return [];
  const prefix = key.callback(stepPrefix(run.id, run.step));
  const rows = await readRows(table, conversationId, prefix, `${prefix}~`);
  return rows.map((row) => parsedAs(StoredCallback, row)).filter((callback) => isAwaited(meta, callback, now));
}

/** Whether the run waits for the callback. */
export const isAwaited = ({ run }: Meta, callback: StoredCallback, now: Date): boolean =>
  run?.status === 'waiting' && callback.id.startsWith(stepPrefix(run.id, run.step)) && isOpen(callback, now);

/**
 * Builds the outcome of a callback. Commit it before you use any token: whichever commits first (answer, expiry or cancel)
 * holds. The version conditions ensure this. They also fence the token: without them, a token stored between the read and
 * this write would never be used.
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
  const resume = { id, taskTokens, callId, route: resumeRoute({ ...callback, outcome }) };
  const set = { status: 'answered', outcome: JSON.stringify(outcome), outbox: 'answer' } as const;
  const row = closing({ id, version }, set, now);
  if (!callId) return { ...resume, rows: [row], status: { status: 'running', until: undefined } };
  const run = meta.run!;
  const calls = await readCallsOfStep(table, meta.conversationId, run.id, run.step);
  const status = 'approved' in answer && answer.approved ? 'queued' : 'completed';
  const after = calls.map((call) => (call.id === callId ? ({ ...call, status } as const) : call));
  return {
    ...resume,
    rows: [
      row,
      ...callRows(
        callback,
        calls.find(({ id }) => id === callId),
        answer,
        meta.owner,
        now,
      ),
    ],
    status: statusWith(after),
  };
}

function clipped(answer: Answer): object {
  if ('answer' in answer) return { answer: clip(answer.answer, { bytes: answerBytes }) };
  if ('said' in answer) return { ...answer, said: clip(answer.said, { bytes: answerBytes }) };
  if (!('approved' in answer) || !answer.approved) return answer;
  const { digest: _, asked: __, ...shown } = { digest: '', asked: undefined, ...answer };
  return shown;
}

function callRows(
  { callId = '', asker }: StoredCallback,
  /** A sub-agent may answer a call of an earlier step, which is not read. */
  { answers = [], uncertain }: Partial<StoredCall> = {},
  answer: Answer,
  owner: string,
  now: Date,
): RowWrite[] {
  const onlyIf = { status: 'waiting' };
  const sk = key.call(callId);
  const completedAt = now.toISOString();
  if ('answer' in answer) {
    const { fields, rows } = storeResult(callId, answer.answer, 1_000_000);
    return [{ sk, set: { status: 'completed', ...fields, completedAt }, onlyIf }, ...rows];
  }
  if ('said' in answer) {
    const { sources, ...said } = answer;
    const { fields, rows } = storeResult(callId, said, 1_000_000);
    return [{ sk, set: { status: 'completed', ...fields, sources, completedAt }, onlyIf }, ...rows];
  }
  if ('failed' in answer) return [{ sk, set: { status: 'failed', error: answer.failed, completedAt }, onlyIf }];
  if ('asked' in answer) {
    const all = [...(answers as ServerAnswer[]), { ...answer.asked, content: answer.arguments }];
    return [{ sk, set: { status: 'queued', answers: JSON.stringify(all) }, onlyIf }];
  }
  const { by: decidedBy } = answer;
  if (answer.approved) {
    const approved = { status: 'queued', approved: answer.digest, decidedBy };
    if (!answer.arguments) return [{ sk, set: approved, remove: ['after'], onlyIf }];
    const after = sourcesOfApprover(decidedBy, owner);
    const edited = { arguments: JSON.stringify(answer.arguments), edited: true, after };
    return [{ sk, set: { ...approved, ...edited }, remove: after ? [] : ['after'], onlyIf }];
  }
  const { reason } = answer;
  const what = asker ? `The user gave the server ${asker} no answer` : 'Not approved';
  const follows = uncertain ? '. An earlier attempt may have taken effect.' : ', so it was not done.';
  const error = `${what}${follows}${reason ? ` The reason: ${clip(reason, { bytes: 2_000 })}` : ''}`;
  const status = uncertain ? 'unknown' : 'failed';
  const sources = reason ? sourcesOfApprover(decidedBy, owner) : undefined;
  return [{ sk, set: { status, error, sources, decidedBy, completedAt }, onlyIf }];
}
