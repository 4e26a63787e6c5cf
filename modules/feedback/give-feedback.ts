import { Feedback } from '../../core/base/state/schemas';
import { InvalidInput, NotFound, WrongState } from '../../core/base/text/errors';
import { checkRole, type Person, readMetaFor, userOf } from '../../core/conversations/members/role';
import { key } from '../../core/conversations/rows/keys';
import { parsedAs } from '../../core/conversations/rows/readable';
import { StoredMessage } from '../../core/conversations/rows/rows';
import { bytesOf, mostRowBytes } from '../../core/conversations/rows/size';
import { changeConversation } from '../../core/conversations/store/change-conversation';
import { readRow, type Table } from '../../core/conversations/store/table';

/** What a person gives; nothing takes back what they gave. */
export type Given = Pick<Feedback, 'verdict' | 'reason' | 'dataset'>;

/**
 * Stores what a person thinks of a message: one entry for each person, the last one counts. It is in the message's row, so it is pushed,
 * exported and deleted with it; a fork does not copy it. META fences the write, so nobody writes it who is no longer a member, and nobody
 * in a conversation that is deleted. A repeated request changes nothing.
 *
 * @returns the message.
 * @throws NotFound, NotAllowed if the person may not write in the conversation, or there is no such message.
 * @throws WrongState while the message is being written, or is unread.
 * @throws InvalidInput for a verdict on what is no reply of an agent, and for a reason alone.
 */
export async function giveFeedback(
  table: Table,
  { conversationId, seq, by }: { conversationId: string; seq: number; by: Person },
  given: Given,
  now: Date,
): Promise<StoredMessage> {
  await readMetaFor(table, conversationId, by, 'member');
  const user = userOf(by);
  const { verdict, reason, dataset } = given;
  if (reason !== undefined && !verdict && !dataset)
    throw new InvalidInput('reason', 'say also what it is about: name a `verdict`, or set `dataset`');
  return changeConversation<StoredMessage>(table, conversationId, async (meta) => {
    checkRole(meta, by, 'member');
    const row = await readRow(table, conversationId, key.message(seq));
    if (!row) throw new NotFound(`There is no message ${seq} in this conversation.`);
    const message = parsedAs(StoredMessage, row);
    if (message.status === 'streaming' || message.status === 'pending')
      throw new WrongState(`The message ${seq} is not complete, or no agent has read it. Wait until then.`);
    if (verdict && (message.role !== 'assistant' || message.callId !== undefined))
      throw new InvalidInput('verdict', `only replies of agents have one, and the message ${seq} is none`);
    const { feedback: all = [], version } = message;
    const before = all.find((one) => one.user === user);
    if (before?.verdict === verdict && before?.reason === reason && before?.dataset === dataset)
      return { answer: message };
    const isGiven = verdict !== undefined || dataset !== undefined;
    const own = Feedback.parse({ user, verdict, reason, dataset, at: now.toISOString() });
    const feedback = [...all.filter((one) => one !== before), ...(isGiven ? [own] : [])];
    const next = { ...message, feedback: feedback.length > 0 ? feedback : undefined, version: version + 1 };
    if (isGiven && bytesOf({ ...row, feedback }) > mostRowBytes)
      throw new InvalidInput('reason', 'there is no room for it in the message: use fewer words');
    return {
      rows: [
        {
          sk: key.message(seq),
          set: { feedback: next.feedback },
          ...(next.feedback === undefined && { remove: ['feedback'] }),
          onlyIf: { version },
        },
      ],
      answer: next,
    };
  });
}
