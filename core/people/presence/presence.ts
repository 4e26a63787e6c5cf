// core/people/presence: who is in a conversation now, and how far each person has read it.

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { rolesIn } from '../../conversations/members/role';
import { readItem } from '../../conversations/store/table';
import type { Push } from '../live/broadcast';
import { type Holder, secondsOf } from '../live/connections';
import type { ServerMessage } from '../live/live';
import { type LiveTables, readersOf } from '../live/readers';
import { conversationTopic, isAfter, type Subscription } from '../live/subscriptions';

/**
 * Who is in a conversation of several people at this moment, and who writes. All of it is in the subscriptions, which end with their
 * connections: nothing is kept.
 */

/** Clients say that somebody writes every three seconds. What comes sooner is not passed on. */
const typingSeconds = 2;

/**
 * Returns the news of who sees a conversation, after that has changed for one of its users.
 *
 * @returns undefined if no one else follows it.
 */
export async function herePush(
  tables: LiveTables,
  conversationId: string,
  user: unknown,
  now: Date,
): Promise<Push | undefined> {
  const topic = conversationTopic(conversationId);
  const open = await readersOf(tables, conversationId, now);
  if (open.every((one) => one.user === user)) return undefined;
  const seeing = open.filter(({ watchedUntil }) => isAfter(watchedUntil, now));
  const users = [...new Set(seeing.map((one) => String(one.user)))].sort();
  return {
    topic,
    conversationId,
    frames: [JSON.stringify({ type: 'here', conversationId, users } satisfies ServerMessage)],
  };
}

/** Whether somebody saw the conversation by this subscription until it ended. */
export const hasSeen = ({ watchedUntil }: Subscription, now: Date): boolean => isAfter(watchedUntil, now);

/**
 * Records that a person writes a message, by their subscription.
 *
 * @returns the news; `'early'` if it was said a moment ago; undefined if the connection does not subscribe to the conversation, or its
 *   holder may not write there.
 */
export async function typingPush(
  { table, live }: LiveTables,
  connectionId: string,
  { conversationId, holder }: { conversationId: string; holder: Pick<Holder, 'user' | 'groups'> },
  now: Date,
): Promise<Push | 'early' | undefined> {
  const { user } = holder;
  const role = (await rolesIn(table, conversationId))(holder);
  if (role !== 'member' && role !== 'owner') return undefined;
  const topic = conversationTopic(conversationId);
  const Key = { pk: topic, sk: connectionId };
  const update = new UpdateCommand({
    TableName: live.name,
    Key,
    UpdateExpression: 'SET typedAt = :now',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(typedAt) OR typedAt <= :before)',
    ExpressionAttributeValues: { ':now': secondsOf(now), ':before': secondsOf(now) - typingSeconds },
  });
  try {
    await live.client.send(update);
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
    return (await readItem(live, Key)) === undefined ? undefined : 'early';
  }
  return { topic, conversationId, frames: [JSON.stringify(typing(conversationId, user))] };
}

export const typing = (conversationId: string, user: string) =>
  ({ type: 'typing', conversationId, user }) satisfies ServerMessage;
