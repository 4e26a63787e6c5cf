import { isSettled } from '../../base/state/schemas';
import { InvalidInput } from '../../base/text/errors';
import { checkOwner, type Person } from '../members/role';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { onlyReadable } from '../rows/readable';
import { StoredCall, StoredMessage } from '../rows/rows';
import { bytesOf, firstThatFit } from '../rows/size';
import { changeConversation } from '../store/change-conversation';
import { readKind, type Table } from '../store/table';
import type { RowWrite } from '../store/write';

/** The words from outside that a person declares as trusted: messages by number, results by their call's id. */
export interface Trusted {
  messages: number[];
  calls: string[];
}

/** META is in the transaction, too. */
const room = { rows: 90, bytes: 3_500_000 };

/**
 * Declares words from outside as trusted. The agent's later calls no longer need an approval because of them. It names the words
 * that the person has seen, so that none which arrive meanwhile are trusted with them. A repeated request changes nothing.
 *
 * @throws NotFound, NotAllowed if the person is not the conversation's owner.
 * @throws InvalidInput if there is no such message or call, or the call has no result yet. Nothing is changed then.
 */
export async function trust(
  table: Table,
  { conversationId, user }: { conversationId: string; user: Person },
  trusted: Trusted,
): Promise<void> {
  const decide = async (meta: Meta) => {
    checkOwner(meta, user);
    const all = await rowsOf(table, conversationId, trusted);
    const rows = firstThatFit(all, room, ({ bytes }) => bytes).map(({ row }) => row);
    if (rows.length === 0) return { answer: false };
    // The count makes processes that cache the log read it again.
    return { meta: { ...meta, amendments: (meta.amendments ?? 0) + 1 }, rows, answer: rows.length < all.length };
  };
  while (await changeConversation<boolean>(table, conversationId, decide));
}

/** Returns the writes, with the sizes of their rows. */
async function rowsOf(
  table: Table,
  conversationId: string,
  { messages, calls }: Trusted,
): Promise<{ row: RowWrite; bytes: number }[]> {
  const [messageRows, callRows] = await Promise.all([
    readKind(table, conversationId, 'message'),
    readKind(table, conversationId, 'call'),
  ]);
  const said = new Map(onlyReadable(StoredMessage, messageRows).map((message) => [message.seq, message]));
  const made = new Map(onlyReadable(StoredCall, callRows).map((call) => [call.id, call]));
  const ofMessages = messages.map((seq, index) => {
    const message = said.get(seq);
    if (!message) throw new InvalidInput(`messages.${index}`, `there is no message ${seq}`);
    return {
      ...message,
      sk: key.message(seq),
      outside: message.sources ?? message.recalledSources ?? message.hostedSources,
    };
  });
  const ofCalls = calls.map((id, index) => {
    const call = made.get(id);
    if (!call) throw new InvalidInput(`calls.${index}`, `there is no call ${id}`);
    if (!isSettled(call.status)) throw new InvalidInput(`calls.${index}`, `the call ${id} has no result yet`);
    return { ...call, sk: key.call(id), outside: call.sources };
  });
  return [...ofMessages, ...ofCalls]
    .filter(({ outside, trusted }) => outside?.length && !trusted)
    .map((whole) => {
      const { sk, version } = whole;
      return { row: { sk, set: { trusted: true }, onlyIf: { version } }, bytes: bytesOf(whole) };
    });
}
