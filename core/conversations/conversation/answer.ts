import { asksFor, quoted } from 'vigil-client/shared';
import type { FilePart } from '../../base/content/parts';
import type { Source } from '../../base/content/sources';
import type { ServerAnswer, ServerQuestion } from '../../base/state/isolated-call';
import { clip } from '../../base/text/clip';
import { sourcesOfApprover } from '../calls/approved';
import { readCall, stepPrefix } from '../calls/call';
import type { CallEvent } from '../calls/call-state';
import { closeCallback, isOpen } from '../calls/callback';
import { type CallChange, changeCall, notDone, writesOf } from '../calls/change-call';
import { storeResult } from '../calls/result';
import type { RunStanding } from '../decisions/route';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { onlyReadable } from '../rows/readable';
import { type StoredCall, StoredCallback, type StoredDecision } from '../rows/rows';
import { standingAfter } from '../runs/standing';
import { RowConflict, readKind, type Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** The outcome of a callback: an answer in words, a decision about a tool call, or a sub-agent's result. */
export type Answer =
  /** `ends`: a person who has taken the conversation over also ends the run. */
  | { answer: string; files?: FilePart[]; sources?: Source[]; ends?: boolean }
  /** `digest`: of the approved arguments, see `core/conversations/calls/approved.ts`. `by`: the user who decided. */
  | ({ approved: true; via?: 'notification'; arguments?: object; digest: string } & Decided)
  | ({ approved: false; reason?: string; question?: string } & Decided)
  /** The answer to a server's question in the middle of a call: the user's form, or a refusal. */
  | ({ approved: true; via?: 'notification'; arguments: object; asked: ServerQuestion } & Decided)
  /** A sub-agent's last words, or why there are none. */
  | { agent: string; said: string; sources?: Source[] }
  | { agent: string; failed: string };

/** Who has decided. `editedBy`: who has changed the arguments, if that was another one. */
interface Decided {
  by: string;
  editedBy?: string;
  decisions: StoredDecision[];
}

/** The outcome of a callback: the rows to commit. */
export interface Answered {
  callId?: string;
  rows: RowWrite[];
  /** The run's status after the outcome. */
  status: RunStanding;
}

/** The callback and its answer share a row of at most 400 KB. The full answer is in the message or the call's result. */
const answerBytes = 50_000;

/** Returns the open callbacks of the run's last step. One that cannot be read is left out. */
export async function openCallbacks(table: Table, meta: Meta, now: Date): Promise<StoredCallback[]> {
  const { run, conversationId } = meta;
  if (run?.status !== 'waiting') return [];
  const rows = await readKind(table, conversationId, 'callback', stepPrefix(run.id, run.step));
  return onlyReadable(StoredCallback, rows).filter((callback) => isAwaited(meta, callback, now));
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
  const { callId } = callback;
  const decisions = 'decisions' in answer ? answer.decisions : undefined;
  const closed = { callback, outcome: JSON.stringify(clipped(answer)), decisions, now };
  if (!callId) {
    const rows = closeCallback(callback, 'answered', now, closed);
    return { rows, status: { status: 'running', until: undefined } };
  }
  const { conversationId, owner } = meta;
  // A sub-agent may answer a call of an earlier step.
  const call = await readCall(table, conversationId, callId);
  const { event, rows, ...change } = changeBy(answer, call!, callback, owner);
  const changed = changeCall(call!, event, { ...closed, ...change });
  // The call was settled between the two reads, and its callback with it.
  if (!changed) throw new RowConflict(key.call(callId));
  const status = await standingAfter(table, meta, callId, { status: changed.status });
  return { callId, rows: [...writesOf(changed), ...rows], status };
}

/** What a decision brings besides its outcome. The callback's row has the decisions themselves. */
const noOutcome = ['digest', 'asked', 'editedBy', 'decisions'];

function clipped(answer: Answer): object {
  if ('answer' in answer)
    return { answer: clip(answer.answer, { bytes: answerBytes }), ...(answer.ends && { ends: true }) };
  if ('said' in answer) return { ...answer, said: clip(answer.said, { bytes: answerBytes }) };
  if (!('approved' in answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !noOutcome.includes(name)));
}

const givenBack = 'The approver has given this back with a question';
/** The text of the reply is what an approver sees of the answer: see `WaitingApproval`. */
const howToAnswer =
  'Find the answer, or ask the user. Then call the tool again, and write the answer as the text of that same reply: the approver reads it.';

/** The model reads what people said meanwhile as messages, and the note is the last of them. */
const backFromPerson =
  'The person has given the conversation back to you. What was said meanwhile follows; the last of it is their note to you.';
const endedByPerson = 'The person has dealt with it, and has ended the run. What was said meanwhile follows.';

type Answering = Pick<CallChange, 'set' | 'remove' | 'error'> & { event: CallEvent; rows: RowWrite[] };

/** Returns what an answer changes in the call that waits for it. */
function changeBy(answer: Answer, call: StoredCall, callback: StoredCallback, owner: string): Answering {
  if (asksFor(callback.kind, 'take-over')) {
    const { fields } = storeResult(
      call.id,
      'ends' in answer && answer.ends ? endedByPerson : backFromPerson,
      1_000_000,
    );
    return { event: 'complete', set: fields, rows: [] };
  }
  if ('answer' in answer) {
    const { answer: words, files = [], sources } = answer;
    const { fields, rows } = storeResult(call.id, files.length > 0 ? { answer: words, files } : words, 1_000_000);
    return { event: 'complete', set: { ...fields, sources }, rows };
  }
  if ('said' in answer) {
    const { sources, ...said } = answer;
    const { fields, rows } = storeResult(call.id, said, 1_000_000);
    return { event: 'complete', set: { ...fields, sources }, rows };
  }
  if ('failed' in answer) return { event: 'fail', error: answer.failed, rows: [] };
  if ('asked' in answer) {
    const all = [...((call.answers ?? []) as ServerAnswer[]), { ...answer.asked, content: answer.arguments }];
    return { event: 'approve', set: { answers: JSON.stringify(all) }, rows: [] };
  }
  const { by: decidedBy } = answer;
  const { asker, question } = callback;
  if (asker && !answer.approved && call.round !== undefined) {
    // The server learns of the refusal, and says how the call ends.
    const all = [...((call.answers ?? []) as ServerAnswer[]), question as ServerQuestion];
    return { event: 'approve', set: { answers: JSON.stringify(all), decidedBy }, rows: [] };
  }
  if (answer.approved) {
    const approved = { approved: answer.digest, decidedBy };
    if (!answer.arguments) return { event: 'approve', set: approved, remove: ['after'], rows: [] };
    const after = sourcesOfApprover(answer.editedBy ?? decidedBy, owner);
    const edited = { arguments: JSON.stringify(answer.arguments), edited: true, after };
    return { event: 'approve', set: { ...approved, ...edited }, remove: after ? [] : ['after'], rows: [] };
  }
  const { reason, question: returned } = answer;
  const what = asker ? `The user gave the server ${asker} no answer` : returned ? givenBack : 'Not approved';
  const why = [
    ...(returned ? [`The question: ${quoted(clip(returned, { bytes: 2_000 }, '…'))} ${howToAnswer}`] : []),
    ...(reason ? [`The reason: ${clip(reason, { bytes: 2_000 })}`] : []),
  ].join(' ');
  return {
    event: 'fail',
    error: notDone(what, why),
    set: { sources: reason || returned ? sourcesOfApprover(decidedBy, owner) : undefined, decidedBy },
    rows: [],
  };
}
