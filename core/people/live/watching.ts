import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readItem, type Table } from '../../conversations/store/table';
import { secondsOf } from './connections';
import { pingSeconds } from './live';
import { conversationTopic, isAfter, isOpen, subscriptionsTo } from './subscriptions';

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

/** Returns the connections that show the conversation. Only its owner can subscribe to it. */
export async function watchersOf(table: Table, conversationId: string, now: Date): Promise<string[]> {
  const found = await subscriptionsTo(table, conversationTopic(conversationId));
  return found.filter((one) => isOpen(one, now) && isAfter(one.watchedUntil, now)).map(({ sk }) => sk);
}

export const isWatched = async (table: Table, conversationId: string, now: Date): Promise<boolean> =>
  (await watchersOf(table, conversationId, now)).length > 0;
