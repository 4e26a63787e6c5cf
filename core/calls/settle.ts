import type { TableEffect } from '../agent/tool';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import type { StoredCall, StoredCallback, StoredMessage } from '../rows/rows';
import { joined, type Source } from '../state/sources';
import type { Counts } from '../state/user-limits';
import { countRow } from '../store/counts';
import { changeConversation, RowConflict, type Table, write, writeOnce } from '../store/table';
import type { RowWrite, SetWrite } from '../store/write';
import { sourcesOfEdit } from './approved';
import { putCallback, webhookId } from './callback';
import { storeResult } from './result';
import { putTimer } from './timer';

/**
 * How an attempt at a call ended. `waiting`: the tool has started work elsewhere, whose outcome its webhook receives.
 * `undone`: the call was compensated.
 */
export type CallOutcome =
  | { status: 'completed'; result: unknown }
  | { status: 'waiting'; result: unknown }
  /** A person must approve the call first. Its attempt had no effect. */
  | { status: 'asks'; callback: StoredCallback }
  | { status: 'undone' }
  /** A delivery completed the call before its tool returned. The tool's table effect is still due. */
  | { status: 'late-effect' }
  | { status: 'failed' | 'unknown' | 'cancelled'; error: string };

type Effect = Omit<TableEffect<unknown>, 'output'>;

/**
 * Settles a call once, together with its table effect, if this attempt is still the latest one.
 *
 * @returns false if the call is already settled or a later attempt has begun.
 * @param options.atMost limits of the user's counts, for a timer.
 * @param options.claim the attempt's claim, if it is not made yet.
 * @throws RowConflict if the condition of an effect's row, or a limit, fails. Nothing is written then.
 */
export async function settleCall(
  table: Table,
  conversationId: string,
  call: StoredCall,
  outcome: CallOutcome,
  {
    maxResultBytes = 4_000_000,
    effect = {} as Effect,
    now = new Date(),
    atMost = {} as Partial<Counts>,
    claim = undefined as SetWrite | undefined,
  } = {},
): Promise<boolean> {
  const { messages = [], timer, rows: others = [], sources } = effect;
  const known = sources && (joined(sourcesOfEdit(call), sources) ?? []);
  const [own, ...parts] = outcomeRows(call, outcome, { maxResultBytes, sources: known, now });
  const settled = claim ? joinedTo(claim, own) : own;
  const made = [...parts, ...(timer ? [putTimer(conversationId, call, timer, now)] : [])];
  const counts = timer ? [countRow(call.user, { timers: 1 }, atMost)] : [];
  const rows = [settled, ...made.map((row) => expiring(row, call)), ...others, ...counts];
  try {
    if (messages.length === 0 && rows.length === 1) return await writeOnce(table, conversationId, settled);
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

/** One write that claims an attempt and stores its outcome. */
const joinedTo = ({ set, onlyIf }: SetWrite, outcome: SetWrite): SetWrite => ({
  ...outcome,
  set: { ...set, ...outcome.set },
  onlyIf: { ...(outcome.onlyIf as object), ...(onlyIf as object) },
});

/** Rows that are written into a deleted conversation expire with it. */
const expiring = (row: RowWrite, { ttl }: StoredCall): RowWrite =>
  ttl !== undefined && 'put' in row ? { ...row, put: { ...row.put, ttl } } : row;

/** Returns the call's own row first. If a deletion has marked it since, its `ttl` condition fails and it is read again. */
function outcomeRows(
  call: StoredCall,
  outcome: CallOutcome,
  { maxResultBytes, sources, now }: { maxResultBytes: number; sources?: Source[]; now: Date },
): [SetWrite, ...RowWrite[]] {
  const sk = key.call(call.id);
  const onlyIf = { status: call.status, attempts: call.attempts, ttl: call.ttl ?? null };
  const completedAt = now.toISOString();
  if (outcome.status === 'undone')
    return [{ sk, set: { status: 'undone', undoneAt: completedAt }, remove: ['undoError'], onlyIf }];
  if (outcome.status === 'asks')
    return [
      {
        sk,
        set: { status: 'waiting', callbackId: outcome.callback.id, decider: outcome.callback.decider },
        remove: ['error'],
        onlyIf,
      },
      // Nobody's list has it before the run waits for it: see `listedRows`.
      putCallback(outcome.callback),
    ];
  if (outcome.status === 'late-effect')
    return [{ sk, set: { lateEffect: true }, onlyIf: { ...onlyIf, lateEffect: null } }];
  if ('error' in outcome) return [{ sk, set: { status: outcome.status, completedAt, error: outcome.error }, onlyIf }];
  const { fields, rows } = storeResult(call.id, outcome.result, maxResultBytes);
  if (outcome.status === 'completed')
    return [{ sk, set: { status: 'completed', completedAt, ...fields, sources }, remove: ['error'], onlyIf }, ...rows];
  const callbackId = webhookId(call.id);
  return [
    { sk, set: { status: 'waiting', callbackId, ...fields, sources }, remove: ['error'], onlyIf },
    // Fails if the run was cancelled while the tool still ran: no state waits then.
    { sk: key.callback(callbackId), set: {}, onlyIf: { status: 'pending' } },
    ...rows,
  ];
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
