import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readItem, type Table } from '../../conversations/store/table';
import { secondsOf } from './connections';
import { pingSeconds } from './live';
import { type LiveTables, readersOf } from './readers';
import { conversationTopic, isAfter, isOpen, type Subscription, subscriptionsTo } from './subscriptions';

/**
 * Whether somebody sees a conversation: a subscription says so until a moment, because a browser that sleeps or loses its network does
 * not say that it has stopped. A client repeats it with each ping.
 */
const watchedSeconds = pingSeconds + 60;

/**
 * Records that a connection shows the conversation, or no longer does.
 *
 * @param turn increases with each such message of the connection, because messages may be handled out of order.
 * @returns false if the connection does not subscribe to the conversation.
 */
export async function setWatched(
  table: Table,
  connectionId: string,
  { conversationId, visible, turn }: { conversationId: string; visible: boolean; turn: number },
  now: Date,
): Promise<boolean> {
  const Key = { pk: conversationTopic(conversationId), sk: connectionId };
  const update = new UpdateCommand({
    TableName: table.name,
    Key,
    UpdateExpression: 'SET watchedUntil = :until, turn = :turn',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(turn) OR turn < :turn)',
    ExpressionAttributeValues: { ':until': visible ? secondsOf(now) + watchedSeconds : 0, ':turn': turn },
  });
  try {
    await table.client.send(update);
    return true;
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') throw error;
    // A later message has been handled before, or there is no such subscription.
    return (await readItem(table, Key)) !== undefined;
  }
}

const isWatching = (one: Subscription, now: Date): boolean => isOpen(one, now) && isAfter(one.watchedUntil, now);

/** Returns the connections that show the conversation, of those who may read it now. */
export const watchersOf = async (tables: LiveTables, conversationId: string, now: Date): Promise<string[]> =>
  (await readersOf(tables, conversationId, now)).filter((one) => isWatching(one, now)).map(({ sk }) => sk);

/** Whether this user sees it. */
export const isWatched = async (table: Table, conversationId: string, user: string, now: Date): Promise<boolean> =>
  (await subscriptionsTo(table, conversationTopic(conversationId))).some(
    (one) => isWatching(one, now) && one.user === user,
  );
