import type { CallRef } from '../../base/state/loop-state';
import { AlreadyAnswered, InvalidInput, NotFound, WrongState } from '../../base/text/errors';
import { listOf } from '../approvals/steps';
import { key } from '../rows/keys';
import { openIn } from '../rows/open-lists';
import { onlyReadable, parsedAs } from '../rows/readable';
import { callbackRow, type StoredAssignment, StoredCallback, type StoredDecision } from '../rows/rows';
import { retryOnConflict } from '../store/retry-on-conflict';
import { readKind, readRow, type Table, write } from '../store/table';
import { type RowWrite, type SetWrite, toDo } from '../store/write';
import { howTo, outsideId, waitKinds } from './wait-kinds';

/** Retried invocations of Ask store further tokens. Only one of them is alive. */
const tokensKept = 8;

export type NewCallback = Omit<StoredCallback, 'version' | 'status' | 'createdAt' | 'expiresAt'> & {
  expiresInSeconds: number;
};

/** Creates a pending callback. */
export const newCallback = ({ expiresInSeconds, ...fields }: NewCallback, now: Date): StoredCallback => ({
  ...fields,
  version: 1,
  status: 'pending',
  createdAt: now.toISOString(),
  expiresAt: new Date(now.getTime() + expiresInSeconds * 1_000).toISOString(),
});

/** Returns the id of a call's webhook. A question or an approval has the call's own id. */
export const webhookId = (callId: string): string => outsideId(callId, 'webhook');

/** Returns the id of the callback for a call on which its server works. It is open until the call has its outcome. */
export const taskCallbackId = (callId: string): string => outsideId(callId, 'task');

export const putCallback = (callback: StoredCallback): RowWrite => ({
  sk: key.callback(callback.id),
  put: callbackRow(callback),
  onlyIf: 'absent',
});

/** Returns a callback that the run waits for, as its decider's list has it. */
export const withListEntry = (callback: StoredCallback): StoredCallback => ({ ...callback, ...listEntryOf(callback) });

/** Returns the writes that list callbacks which a run waits for only now: a tool has stored them, or the run had failed. */
export async function listEntryWrites(
  table: Table,
  conversationId: string,
  callbacks: StoredCallback[],
): Promise<RowWrite[]> {
  const isUnlisted = ({ decider, openFor }: StoredCallback) => decider !== undefined && openFor === undefined;
  const current = await Promise.all(
    callbacks.filter(isUnlisted).map(({ id }) => readCallback(table, conversationId, id)),
  );
  return current
    .filter((callback) => callback?.status === 'pending' && isUnlisted(callback))
    .map((callback) => ({
      sk: key.callback(callback!.id),
      set: listEntryOf(callback!),
      onlyIf: { status: 'pending' },
    }));
}

/** Takes the callback of a run that fails from its list. A retry lists it again. */
export const removeListEntry = ({ id }: StoredCallback): RowWrite => ({
  sk: key.callback(id),
  set: {},
  remove: ['openFor'],
  onlyIf: { status: 'pending' },
});

const listEntryOf = (callback: StoredCallback) => {
  const list = listOf(callback);
  return list === undefined ? {} : openIn(list, callback.dueSince ?? callback.createdAt!, callback.id);
};

/**
 * Stores an approval that is not the last one: the callback stays open, and those of the step that is due find it in their list. The
 * execution waits on. The version fences it: of two approvals at once, the second is decided again.
 *
 * @param passed the callback with the approval.
 */
export function passCallback({ version, openFor }: StoredCallback, passed: StoredCallback): RowWrite {
  const { id, decider, decisions, dueSince } = passed;
  const { arguments: args, asked } = callbackRow(passed) as Record<string, unknown>;
  return {
    sk: key.callback(id),
    set: {
      decider,
      decisions,
      dueSince,
      arguments: args,
      asked,
      ...(openFor !== undefined && listEntryOf(passed)),
    },
    onlyIf: { version },
  };
}

/** Tells those who can decide once more. A decision, or whatever else changes the callback at the same moment, makes it decided again. */
export const tellAgain = ({ id, version, told = 0 }: StoredCallback, now: Date): RowWrite => ({
  sk: key.callback(id),
  set: { told: told + 1, toldAt: now.toISOString() },
  onlyIf: { version },
});

/** Asks one of those who can decide to do it, or nobody in particular. A decision at the same moment makes it decided again. */
export const assignCallback = ({ id, version }: StoredCallback, assigned: StoredAssignment | undefined): RowWrite => ({
  sk: key.callback(id),
  ...(assigned ? { set: { assigned } } : { set: {}, remove: ['assigned'] }),
  onlyIf: { version, status: 'pending' },
});

/** What closes a callback, besides its status. */
export interface Closing {
  /** As JSON. */
  outcome?: string;
  /** Of an approval: all decisions, the last one included. */
  decisions?: StoredDecision[];
  resumes?: boolean;
}

/** The status of a callback that has ended. */
export type ClosedStatus = 'answered' | 'expired' | 'cancelled';

/**
 * Closes a pending callback, so that no list has it and later answers are refused. Nothing else ends a callback.
 *
 * @param resumes whether an execution that waits for it is still to be resumed. The write then fails if a token was stored since the
 *   callback was read, because nothing would use that token.
 * @returns the callback's write, and what follows: who waits is resumed; of a cancel, who works on it elsewhere is told.
 */
export function closeCallback(
  callback: Pick<StoredCallback, 'id' | 'version' | 'kind' | 'tool' | 'asker' | 'taskTokens'>,
  status: ClosedStatus,
  now: Date,
  { outcome, decisions, resumes = status === 'answered' }: Closing = {},
): [SetWrite, ...RowWrite[]] {
  const { id: callbackId, version, kind, taskTokens = [] } = callback;
  const own: SetWrite = {
    sk: key.callback(callbackId),
    set: { status, outcome, decisions, closedAt: now.toISOString() },
    remove: ['openFor', 'taskTokens'],
    onlyIf: resumes ? { version } : { status: 'pending' },
  };
  const route = () => resumeRoute({ ...callback, outcome: outcome && (JSON.parse(outcome) as unknown) });
  return [
    own,
    ...(resumes && taskTokens.length > 0 ? [toDo({ does: 'resume', callbackId, taskTokens, route: route() })] : []),
    ...(status === 'cancelled' && waitKinds[kind].tells ? [toDo({ does: 'withdraw', callbackId })] : []),
  ];
}

/**
 * Returns the reference of a pending callback. Its task token is valid until the callback expires or the execution ends.
 * A callback that is still open then is asked again in the next segment.
 *
 * @param furthest the latest time until which the execution may wait, in ISO 8601 UTC.
 */
export const callbackRef = ({ id: callId, kind, expiresAt }: StoredCallback, furthest: string, now: Date): CallRef => {
  const end = Date.parse(expiresAt < furthest ? expiresAt : furthest);
  const timeoutSeconds = Math.max(1, Math.ceil((end - now.getTime()) / 1_000));
  return { next: waitKinds[kind].awaitedIn, callId, timeoutSeconds };
};

export async function readCallback(
  table: Table,
  conversationId: string,
  id: string,
): Promise<StoredCallback | undefined> {
  const row = await readRow(table, conversationId, key.callback(id));
  return row && parsedAs(StoredCallback, row);
}

/** Reads all callbacks of a run. Their ids begin with the run's. */
export const readCallbacksOfRun = (table: Table, conversationId: string, runId: string) =>
  readCallbacks(table, conversationId, `${runId}.`);

/** Reads the callbacks whose ids lie between two prefixes. Those that cannot be read are left out: nobody can answer them. */
export async function readCallbacks(table: Table, conversationId: string, first: string, last = first) {
  const rows = await readKind(table, conversationId, 'callback', first, last);
  return onlyReadable(StoredCallback, rows);
}

/** Returns the conversations of the sub-agents to which these callbacks have delegated a task. */
export const childrenOf = (callbacks: readonly StoredCallback[]): string[] =>
  callbacks.flatMap(({ conversationId }) => conversationId ?? []);

/** Whether a callback can be answered. After `expiresAt` it cannot, even before its execution marks it as expired. */
export const isOpen = ({ status, expiresAt }: Pick<StoredCallback, 'status' | 'expiresAt'>, now: Date): boolean =>
  status === 'pending' && expiresAt > now.toISOString();

/**
 * Returns the route that resumes the waiting state. An approved call runs; the outcome of any other is already stored. A call whose
 * server has got its answer is routed again by CallModel: the state knows the question's id and not the call's.
 */
export function resumeRoute({
  kind,
  outcome,
  tool,
  asker,
}: Pick<StoredCallback, 'kind' | 'tool' | 'asker'> & { outcome?: unknown }): string {
  const { approved } = (outcome ?? {}) as { approved?: boolean };
  return waitKinds[kind].awaitedIn === 'approval' && approved && !asker ? `tool:${tool}` : 'served';
}

/**
 * Stores a task token, which resumes the waiting execution. It never leaves the backend.
 *
 * @returns false if the callback already has its outcome or has expired, so the execution need not wait. Ask may have waited for
 *   capacity for so long.
 * @throws ConversationBusy if the callback's row keeps changing.
 */
export function storeToken(
  table: Table,
  conversationId: string,
  id: string,
  taskToken: string,
  now: Date,
): Promise<boolean> {
  return retryOnConflict(`The callback ${id} keeps changing.`, async () => {
    const callback = await readCallback(table, conversationId, id);
    if (!callback || !isOpen(callback, now)) return false;
    const { version, taskTokens = [] } = callback;
    const set = { taskTokens: [...taskTokens.filter((other) => other !== taskToken).slice(-tokensKept), taskToken] };
    return (await write(table, conversationId, [{ sk: key.callback(id), set, onlyIf: { version } }])) || undefined;
  });
}

/** Explains why a callback cannot be answered, and what to do instead. */
export async function whyNotAnswered(
  table: Table,
  conversationId: string,
  id: string,
  as: StoredCallback['kind'],
  now: Date,
): Promise<Error> {
  const callback = await readCallback(table, conversationId, id);
  if (!callback) return new NotFound(`There is no callback ${id} in this conversation.`);
  if (!isOpen(callback, now)) return refusalOf(callback);
  if (callback.kind !== as) return new InvalidInput(...howTo[callback.kind]);
  return new WrongState('The run is not waiting. If it has failed, retry it; it then asks again.', {
    kind: 'run-not-waiting',
  });
}

/** A callback that is still pending has expired, and its execution is about to mark it. */
export const refusalOf = ({ status, outcome }: StoredCallback): AlreadyAnswered =>
  new AlreadyAnswered(status === 'pending' ? 'expired' : status, outcome);
