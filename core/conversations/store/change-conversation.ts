import type { Counts } from '../../base/state/user-limits';
import { ConversationBusy, NotFound, UnreadableRow } from '../../base/text/errors';
import { key } from '../rows/keys';
import { isReadable, throwIfUnreadable } from '../rows/kinds';
import { Meta, metaRow } from '../rows/meta';
import { repaired } from '../rows/repaired';
import { countChange, reachedLimit } from './counts';
import { retryOnConflict } from './retry-on-conflict';
import { RowConflict, readItem, readLatestRows, readMeta, readRow, type Table, write } from './table';
import { type Condition, mergeAdds, type RowWrite } from './write';

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
   * Whether the change is made even if rows cannot be read: META is written again as far as it is readable (`core/conversations/rows/repaired.ts`), and
   * other such rows stay as they are. For changes that end a run or do not depend on it.
   */
  repairs?: boolean;
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
  { atMost, throwsAt = () => false, repairs = false }: Changing = {},
): Promise<Answer> {
  const left = new Set<string>();
  let failed: string | undefined;
  const isDecidedAgain = (error: unknown): error is RowConflict | UnreadableRow =>
    error instanceof UnreadableRow ? repairs : error instanceof RowConflict && !throwsAt(error.sk);
  const change = async (): Promise<{ answer: Answer } | undefined> => {
    const read = await readToChange(table, conversationId, repairs);
    if (!read) throw noConversation(conversationId);
    const { meta: current, before = current, onlyIf = fenceOf(current) } = read;
    let writes: RowWrite[] = [];
    try {
      const { meta, rows = [], answer } = await decide(current);
      if (!meta && rows.length === 0) return { answer };
      const next = meta ?? current;
      const others = [...rows, ...countChange(before, next, atMost)].filter((row) => !left.has(nameOf(row)));
      writes = mergeAdds([{ ...changeOf(current, next), onlyIf }, ...others]);
      return (await write(table, conversationId, writes)) ? { answer } : undefined;
    } catch (error) {
      if (!isDecidedAgain(error)) throw error;
      failed = error.sk;
      const unreadable = repairs ? await unreadableOf(table, conversationId, writes, error) : undefined;
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

/** The META that `decide` changes; the one whose runs the user's counts have; the condition of the write. */
interface ToChange {
  meta: Meta;
  before?: Meta;
  onlyIf?: Condition;
}

async function readToChange(table: Table, conversationId: string, repairs: boolean): Promise<ToChange | undefined> {
  if (!repairs) {
    const meta = await readMeta(table, conversationId);
    return meta && { meta };
  }
  const row = await readRow(table, conversationId, key.meta);
  if (!row) return undefined;
  const { success, data: meta } = Meta.safeParse(row);
  if (success) return { meta };
  const latest = await readLatestRows(table, conversationId, key.messages, `${key.messages}~`, rowsOfLatestRun);
  return repaired(row, latest);
}

/** Enough to find the latest run's id. */
const rowsOfLatestRun = 50;

/** The write of META's next state, which fails if META has changed since it was read. */
export const changeOf = (current: Meta, next: Meta): RowWrite => ({
  sk: key.meta,
  put: metaRow({ ...next, version: current.version + 1 }),
  onlyIf: fenceOf(current),
});

const fenceOf = ({ version }: Meta): Condition => ({ version });

/** The same for a conversation that does not exist and for another user's. */
export const noConversation = (id: string): NotFound =>
  new NotFound(`You have no conversation ${id}.`, { kind: 'no-conversation' });
