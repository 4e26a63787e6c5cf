import type { Counts } from '../../base/state/user-limits';
import { ConversationBusy, NotFound, UnreadableRow } from '../../base/text/errors';
import { isOfLaterVersion } from '../rows/formats';
import { key } from '../rows/keys';
import { Meta, metaRow } from '../rows/meta';
import { isReadable, metaAtLeast, parsedAs, throwIfUnreadable } from '../rows/readable';
import { countChange, reachedLimit } from './counts';
import { retryOnConflict } from './retry-on-conflict';
import { RowConflict, readItem, readLatestRows, readMeta, readRow, type Table, write } from './table';
import { type Condition, mergeAdds, type RowWrite, toDo } from './write';

/** A change of a conversation: its next META, other rows in the same transaction, and an answer for the caller. */
export interface Change<Answer> {
  meta?: Meta;
  rows?: RowWrite[];
  answer: Answer;
}

interface Changing {
  /** Limits of the user's counts, as far as the change makes them grow. */
  atMost?: Partial<Counts>;
  /** Selects the rows whose conflict the caller handles; at all others `decide` is called again. */
  throwsAt?(sk: string): boolean;
  /**
   * Whether the change ends a run or the conversation. Then no row that cannot be read keeps it from being made: META is written again
   * with what is valid in it, unless a later version has written it, and other such rows stay as they are.
   */
  ends?: boolean;
}

/**
 * Changes a conversation in one transaction, which META's version fences. So all changes have one order.
 *
 * @param decide computes the change from the current META. It is called again if META or another row has changed meanwhile, or
 *   if it throws a RowConflict because it has read a stale row.
 * @throws NotFound if there is no such conversation.
 * @throws RowConflict if the condition of a row selected by `throwsAt` fails.
 * @throws LimitReached if the user's counts would pass a limit.
 * @throws ConversationBusy after many conflicts.
 */
export async function changeConversation<Answer>(
  table: Table,
  conversationId: string,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
  { atMost, throwsAt = () => false, ends = false }: Changing = {},
): Promise<Answer> {
  const left = new Set<string>();
  let failed: string | undefined;
  const isDecidedAgain = (error: unknown): error is RowConflict | UnreadableRow =>
    error instanceof UnreadableRow ? ends : error instanceof RowConflict && !throwsAt(error.sk);
  const change = async (): Promise<{ answer: Answer } | undefined> => {
    const read = await readToChange(table, conversationId, ends);
    if (!read) throw noConversation(conversationId);
    const { meta: current, onlyIf = fenceOf(current) } = read;
    let writes: RowWrite[] = [];
    try {
      const { meta, rows = [], answer } = await decide(current);
      if (!meta && rows.length === 0) return { answer };
      const next = meta ?? current;
      const others = [...rows, ...countChange(current, next, atMost)].filter((row) => !left.has(nameOf(row)));
      writes = mergeAdds([{ ...changeOf(current, next), onlyIf }, ...others, ...todosOf(next)]);
      return (await write(table, conversationId, writes)) ? { answer } : undefined;
    } catch (error) {
      if (!isDecidedAgain(error)) throw error;
      failed = error.sk;
      const unreadable = ends ? await unreadableOf(table, conversationId, writes, error) : undefined;
      if (unreadable) left.add(nameOf(unreadable));
      else if (error instanceof UnreadableRow) throw error;
      const reached = failed === key.counts && (await reachedLimit(table, writes));
      if (reached) throw reached;
      return undefined;
    }
  };
  try {
    return (await retryOnConflict(`The conversation ${conversationId} keeps changing.`, change)).answer;
  } catch (error) {
    // A condition on a field that is not valid never holds.
    const row = failed && error instanceof ConversationBusy ? await readRow(table, conversationId, failed) : undefined;
    if (row) throwIfUnreadable(row);
    throw error;
  }
}

/**
 * Changes several conversations in one transaction, which the version of each META fences: all of them, or none.
 *
 * @param listed returns their ids. It is asked again when they are read, and when one of them has changed meanwhile; so is `decide`.
 * @returns the answer of the first.
 * @throws as `changeConversation` does.
 */
export async function changeConversations<Answer>(
  table: Table,
  listed: () => Promise<readonly string[]>,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
): Promise<Answer> {
  const change = async (): Promise<{ answer: Answer } | undefined> => {
    const ids = await listed();
    const changes = await Promise.all(ids.map((id) => changeIn(table, id, decide)));
    // One that was made before its source was read here is in no version that fences this. One that is made later is.
    if ((await listed()).some((id) => !ids.includes(id))) return undefined;
    const writes = mergeAdds(changes.flatMap(({ rows }) => rows));
    const { answer } = changes[0]!;
    try {
      return (await write(table, ids[0]!, writes)) ? { answer } : undefined;
    } catch (error) {
      if (!(error instanceof RowConflict)) throw error;
      const reached = await reachedLimit(table, writes);
      if (reached) throw reached;
      return undefined;
    }
  };
  return (await retryOnConflict('The conversation or a version of it keeps changing.', change)).answer;
}

async function changeIn<Answer>(
  table: Table,
  conversationId: string,
  decide: (meta: Meta) => Change<Answer> | Promise<Change<Answer>>,
): Promise<{ rows: RowWrite[]; answer: Answer }> {
  const current = await readMeta(table, conversationId);
  if (!current) throw noConversation(conversationId);
  const { meta: next = current, rows = [], answer } = await decide(current);
  if (next === current && rows.length === 0) return { rows, answer };
  const all = [changeOf(current, next), ...rows, ...countChange(current, next), ...todosOf(next)];
  return { rows: all.map((row) => ({ pk: key.conversation(conversationId), ...row })), answer };
}

const nameOf = ({ pk = '', sk }: RowWrite): string => `${pk} ${sk}`;

/** Returns the write, other than META's, whose row cannot be read. */
async function unreadableOf(
  table: Table,
  conversationId: string,
  writes: RowWrite[],
  error: RowConflict | UnreadableRow,
): Promise<RowWrite | undefined> {
  const failed = writes.find(({ sk }) => sk === error.sk);
  if (!failed || failed.sk === key.meta) return undefined;
  // A new row that does not fit is the change itself.
  if (error instanceof UnreadableRow) return 'put' in failed ? undefined : failed;
  const { pk = key.conversation(conversationId), sk } = failed;
  const row = await readItem(table, { pk, sk });
  return row && !isReadable(row) ? failed : undefined;
}

/** The META that `decide` changes, and the condition of its write. */
interface ToChange {
  meta: Meta;
  onlyIf?: Condition;
}

async function readToChange(table: Table, conversationId: string, ends: boolean): Promise<ToChange | undefined> {
  if (!ends) {
    const meta = await readMeta(table, conversationId);
    return meta && { meta };
  }
  const row = await readRow(table, conversationId, key.meta);
  if (!row) return undefined;
  if (isReadable(row) || isOfLaterVersion(row as Record<string, unknown>)) return { meta: parsedAs(Meta, row) };
  const meta = metaAtLeast(row);
  return { meta: { ...meta, ...(await latestOf(table, meta)) }, onlyIf: unchanged(row) };
}

/** Takes from the messages what META may no longer say: how long the log is, and the latest run. */
async function latestOf(table: Table, meta: Meta): Promise<Partial<Meta>> {
  const rows = await readLatestRows(table, meta.conversationId, key.messages, `${key.messages}~`, rowsOfLatestRun);
  const messages = rows as { sk: string; runId?: unknown }[];
  const last = Number.parseInt(messages.at(-1)?.sk.slice(key.messages.length) ?? '', 10) || 0;
  const lastSeq = Math.max(meta.lastSeq, last);
  const ids = messages.flatMap(({ runId }) => (typeof runId === 'string' && numberOf(runId) > 0 ? [runId] : []));
  const [id = ''] = [meta.run?.id ?? '', ...ids].sort().slice(-1);
  const runs = Math.max(meta.runs, numberOf(id));
  return { lastSeq, lastUserSeq: meta.lastUserSeq || lastSeq, runs, run: meta.run && { ...meta.run, id } };
}

/** Enough to find the latest run's id. */
const rowsOfLatestRun = 50;

const numberOf = (runId: string): number => Number(/^r_(\d{6,})_/.exec(runId)?.[1] ?? 0);

/** The condition that a META which cannot be read is as it was. A field of another type can be in no condition. */
const unchanged = (row: object): Condition =>
  Object.fromEntries(
    Object.entries({ version: null, updatedAt: null, ...row }).filter(
      ([name, value]) => ['version', 'updatedAt'].includes(name) && ['string', 'number'].includes(typeof (value ?? '')),
    ),
  );

/** The write of META's next state, which fails if META has changed since it was read. */
export const changeOf = (current: Meta, next: Meta): RowWrite => ({
  sk: key.meta,
  put: metaRow({ ...next, version: current.version + 1 }),
  onlyIf: fenceOf(current),
});

/** The writes of what follows from a change of META. */
export const todosOf = ({ conversationId, todos = [] }: Meta): RowWrite[] =>
  todos.map((todo) => toDo(todo, conversationId));

const fenceOf = ({ version }: Meta): Condition => ({ version });

/** The same for a conversation that does not exist and for another user's. */
export const noConversation = (id: string): NotFound =>
  new NotFound(`You have no conversation ${id}.`, { kind: 'no-conversation' });
