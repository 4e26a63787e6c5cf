import { asksFor } from 'vigil-client/shared';
import { joined, type Source } from '../../base/content/sources';
import type { ServerRound } from '../../base/state/isolated-call';
import type { Counts } from '../../base/state/user-limits';
import type { TableEffect } from '../agent/table-effect';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { StoredCall, StoredCallback, StoredMessage } from '../rows/rows';
import { changeConversation } from '../store/change-conversation';
import { countRow } from '../store/counts';
import { RowConflict, type Table, write } from '../store/table';
import type { RowWrite, SetWrite } from '../store/write';
import { sourcesOfEdit } from './approved';
import { type CallEvent, unknownTool } from './call-state';
import { type CallChange, changeCall, writesOf } from './change-call';
import { storeResult } from './result';
import { putReminder, putTimer } from './timer';

/**
 * The outcome of an event at a call. `waiting`: the tool has started work elsewhere, whose outcome its webhook receives.
 * `undone`: the call was compensated.
 */
export type CallOutcome =
  | { status: 'completed'; result: unknown }
  | { status: 'waiting'; result: unknown }
  /** A person must approve the call, or answer a question, first. Its attempt had no effect, or is continued with the `round`. */
  | { status: 'asks'; callback: StoredCallback; round?: ServerRound }
  /** Its server works on the call. The callback says until when the run waits, and when the server is asked again. */
  | { status: 'deferred'; callback: StoredCallback; round: ServerRound }
  | { status: 'undone' }
  /** A delivery completed the call before its tool returned. The tool's table effect is still due. */
  | { status: 'late-effect' }
  /** There is no result. The call's state decides what that means (`core/conversations/calls/call-state.ts`). */
  | { status: 'ended'; by: 'claim' | 'fail' | 'lose' | 'give-up' | 'cancel'; error: CallChange['error'] };

type Effect = Omit<TableEffect<unknown>, 'output'>;

/**
 * Settles a call once, together with its table effect, if this attempt is still the latest one.
 *
 * @returns false if the call is already settled or a later attempt has begun.
 * @param options.tool decides whether a call without a result may have taken effect.
 * @param options.callback what the call waits for, if it does.
 * @param options.references the writes by which the conversation refers to the files of the result.
 * @param options.atMost limits of the user's counts, for a timer.
 * @throws RowConflict if the condition of an effect's row, or a limit, fails. Nothing is written then.
 */
export async function settleCall(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcome: CallOutcome,
  {
    tool = unknownTool,
    callback = undefined as StoredCallback | undefined,
    maxResultBytes = 4_000_000,
    effect = {} as Effect,
    references = [] as RowWrite[],
    now = new Date(),
    atMost = {} as Partial<Counts>,
  } = {},
): Promise<boolean> {
  const { messages = [], timer, rows: others = [], sources } = effect;
  const known = sources && (joined(sourcesOfEdit(call), sources) ?? []);
  const changed = outcomeRows(call, outcome, { tool, callback, maxResultBytes, sources: known, now });
  if (!changed) return false;
  const [settled, ...parts] = changed;
  const reminder = outcome.status === 'asks' ? putReminder(conversationId, call.user, outcome.callback, now) : [];
  const made = [...parts, ...(timer ? putTimer(conversationId, call, timer, now) : []), ...reminder];
  const counts = timer ? [countRow(call.user, { timers: 1 }, atMost)] : [];
  const rows = [settled, ...made.map((row) => expiring(row, call)), ...others, ...references, ...counts];
  try {
    if (messages.length === 0) return await write(table, conversationId, rows);
    const post = (meta: Meta) => ({
      meta: { ...meta, lastSeq: meta.lastSeq + messages.length, updatedAt: now.toISOString() },
      rows: [...rows, ...messages.map((message, index) => expiring(postedBy(call, message, meta, index, now), call))],
      answer: true,
    });
    return await changeConversation(table, conversationId, post, { throwsAt: () => true });
  } catch (error) {
    if (error instanceof RowConflict && error.sk === settled.sk) return false;
    throw error;
  }
}

/** Rows that are written into a deleted conversation expire with it. */
const expiring = (row: RowWrite, { ttl }: StoredCall): RowWrite =>
  ttl !== undefined && 'put' in row ? { ...row, put: { ...row.put, ttl } } : row;

/** Returns the event at the call that an outcome is. */
export function eventOf(outcome: Exclude<CallOutcome, { status: 'late-effect' }>): CallEvent {
  if (outcome.status === 'asks' && outcome.round) return 'pause';
  return outcome.status === 'ended' ? outcome.by : events[outcome.status];
}
const events = { completed: 'complete', waiting: 'wait', asks: 'ask', deferred: 'defer', undone: 'undo' } as const;

/** Returns the call's own row first. If a deletion has marked it since, its `ttl` condition fails and it is read again. */
function outcomeRows(
  call: StoredCall,
  outcome: CallOutcome,
  {
    maxResultBytes,
    sources,
    ...given
  }: Pick<CallChange, 'tool' | 'callback' | 'now'> & { maxResultBytes: number; sources?: Source[] },
): [SetWrite, ...RowWrite[]] | undefined {
  if (outcome.status === 'late-effect') {
    const onlyIf = { status: call.status, attempts: call.attempts, ttl: call.ttl ?? null, lateEffect: null };
    return [{ sk: key.call(call.id), set: { lateEffect: true }, onlyIf }];
  }
  const { fields, rows } =
    'result' in outcome ? storeResult(call.id, outcome.result, maxResultBytes) : { fields: {}, rows: [] };
  // An approval shows the arguments that would run, and so does the call. Those of a server's question are its form.
  const isApproval = outcome.status === 'asks' && asksFor(outcome.callback.kind, 'decision') && !outcome.callback.asker;
  const changed = changeCall(call, eventOf(outcome), {
    ...given,
    ...('result' in outcome && { set: { ...fields, sources } }),
    ...((outcome.status === 'asks' || outcome.status === 'deferred') && {
      callback: outcome.callback,
      ...(outcome.round ? { set: { round: JSON.stringify(outcome.round) } } : { remove: ['round'] }),
      ...(isApproval && { set: { arguments: JSON.stringify(outcome.callback.arguments) } }),
    }),
    ...(outcome.status === 'undone' && { remove: ['undoError'] }),
    ...(outcome.status === 'ended' && { error: outcome.error }),
  });
  return changed && [...writesOf(changed), ...rows];
}

/** A message from a tool. The transcript leaves it out, because the call represents it. */
function postedBy(
  { runId, step, id: callId, tool: author }: StoredCall,
  message: { role: 'assistant' | 'system'; text: string },
  meta: Meta,
  index: number,
  now: Date,
): RowWrite {
  const seq = meta.lastSeq + 1 + index;
  const made = { seq, version: 1, author, status: 'complete' as const, createdAt: now.toISOString() };
  const put: StoredMessage = { ...message, ...made, runId, step, callId };
  return { sk: key.message(seq), put, onlyIf: 'absent' };
}
