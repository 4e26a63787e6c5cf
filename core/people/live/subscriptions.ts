import { createHash, randomBytes } from 'node:crypto';
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Role } from '../../conversations/members/role';
import type { Table } from '../../conversations/store/table';
import { connectionKey, expiryOf, forgetConnection, Holder, secondsOf } from './connections';
import { ticketSeconds } from './live';

/**
 * The live view's table. Its rows are useless after a connection ends, and each has an expiry time.
 *
 *     TICKET#<digest>   TICKET           the holder, who may open a connection, once
 *     CONNECTION#<id>   CONNECTION       its holder, and the topics that it subscribes to
 *     USER#<user>       CONNECTIONS      the ids of a user's connections, which are counted
 *     <topic>           <connectionId>   a subscription and its end; one query reads all of a topic
 *
 * Tickets are stored as digests, so read access to the table does not allow connecting.
 */
export const conversationTopic = (conversationId: string): string => `CONVERSATION#${conversationId}`;
/** Returns the conversation of a topic; undefined for another topic. */
export const conversationOfTopic = (topic: string): string | undefined =>
  topic.startsWith(conversationTopic('')) ? topic.slice(conversationTopic('').length) : undefined;
/** The connections of those with whom a conversation is shared, whatever of it they subscribe to. */
export const guestsTopic = (conversationId: string): string => `GUESTS#${conversationId}`;
/** The topic of a user's list of conversations. */
export const listTopic = (user: string): string => `LIST#${user}`;
/** The topic of what waits for a decider. */
export const approvalsTopic = (decider: string): string => `APPROVALS#${decider}`;

const ticketKey = (ticket: string) => ({
  pk: `TICKET#${createHash('sha256').update(ticket).digest('base64url')}`,
  sk: 'TICKET',
});

/** More than a page needs. A hundred topics fit into the connection's row. */
const topicsPerConnection = 100;

export async function issueTicket({ client, name }: Table, holder: Holder, now: Date): Promise<string> {
  const ticket = randomBytes(32).toString('base64url');
  const ttl = secondsOf(now) + ticketSeconds;
  await client.send(new PutCommand({ TableName: name, Item: { ...ticketKey(ticket), ...holder, ttl } }));
  return ticket;
}

/** Deletes a ticket and returns its holder; undefined if it is unknown, expired or used. Of two concurrent uses, one succeeds. */
export async function useTicket({ client, name }: Table, ticket: string, now: Date): Promise<Holder | undefined> {
  try {
    const { Attributes } = await client.send(
      new DeleteCommand({
        TableName: name,
        Key: ticketKey(ticket),
        // DynamoDB may take days to remove expired rows.
        ConditionExpression: '#ttl > :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': secondsOf(now) },
        ReturnValues: 'ALL_OLD',
      }),
    );
    return holderIn(Attributes, now);
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return undefined;
    throw error;
  }
}

/** Returns the holder in a row; undefined if the holder's token has ended, or the row is older than holders. */
function holderIn(row: Record<string, unknown> | undefined, now: Date): Holder | undefined {
  const { data } = Holder.safeParse(row);
  return data && data.until > secondsOf(now) ? data : undefined;
}

/** Returns for whom a connection acts; undefined if it has ended, or its holder's token has. */
export async function holderOf({ client, name }: Table, connectionId: string, now: Date): Promise<Holder | undefined> {
  const Key = connectionKey(connectionId);
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  return holderIn(Item, now);
}

/**
 * Subscribes a connection to a topic, until its holder's token ends.
 *
 * @param role what the holder is in the conversation of the topic.
 * @returns false if the connection has ended or has too many subscriptions.
 */
export async function subscribe(
  { client, name }: Table,
  connectionId: string,
  topic: string,
  { user, groups, until }: Pick<Holder, 'user' | 'groups' | 'until'>,
  now: Date,
  role?: Role,
): Promise<boolean> {
  const remember = {
    TableName: name,
    Key: connectionKey(connectionId),
    UpdateExpression: 'ADD topics :topics',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(topics) OR size(topics) < :most OR contains(topics, :topic))',
    ExpressionAttributeValues: { ':topics': new Set([topic]), ':topic': topic, ':most': topicsPerConnection },
  };
  const put = {
    TableName: name,
    Item: { pk: topic, sk: connectionId, user, groups, until, ...(role && { role }), ttl: expiryOf(until, now) },
  };
  try {
    await client.send(new TransactWriteCommand({ TransactItems: [{ Update: remember }, { Put: put }] }));
    return true;
  } catch (error) {
    const { CancellationReasons: reasons } = error as { CancellationReasons?: { Code?: string }[] };
    if (reasons?.[0]?.Code === 'ConditionalCheckFailed') return false;
    throw error;
  }
}

/** @returns the subscription that there was. */
export async function unsubscribe(
  { client, name }: Table,
  connectionId: string,
  topic: string,
): Promise<Dropped | undefined> {
  const dropped = await dropSubscription({ client, name }, connectionId, topic);
  const forget = {
    TableName: name,
    Key: connectionKey(connectionId),
    UpdateExpression: 'DELETE topics :topics',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':topics': new Set([topic]) },
  };
  await client.send(new UpdateCommand(forget)).catch((error: Error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
  });
  return dropped;
}

/** A subscription that there is no more. */
export type Dropped = Subscription & { pk: string };

/** @returns the subscription that there was. */
export async function dropSubscription(
  { client, name }: Table,
  connectionId: string,
  topic: string,
): Promise<Dropped | undefined> {
  const Key = { pk: topic, sk: connectionId };
  const gone = await client.send(new DeleteCommand({ TableName: name, Key, ReturnValues: 'ALL_OLD' }));
  return gone.Attributes as Dropped | undefined;
}

/**
 * Removes a connection. Its row goes first, so no further subscription can be added.
 *
 * @returns the subscriptions that it had.
 */
export async function closeConnection(table: Table, connectionId: string): Promise<Dropped[]> {
  const Key = connectionKey(connectionId);
  const gone = await table.client.send(new DeleteCommand({ TableName: table.name, Key, ReturnValues: 'ALL_OLD' }));
  const { user, topics: subscribed } = gone.Attributes ?? {};
  if (typeof user === 'string' && user) await forgetConnection(table, connectionId, user);
  const topics = subscribed instanceof Set ? [...subscribed].filter((one) => typeof one === 'string') : [];
  const dropped = await Promise.all(topics.map((topic) => dropSubscription(table, connectionId, topic)));
  return dropped.filter((one) => one !== undefined);
}

/**
 * Returns the connections that subscribe to a topic: those to push to, and those whose holder's token has ended.
 *
 * @param chosen chooses from the former. By default, all.
 *
 * The read is consistent, so a change that commits after a subscription is pushed to it. The client protocol depends on this.
 */
export async function subscribersOf(
  table: Table,
  topic: string,
  now: Date,
  chosen: (open: Subscription[]) => Subscription[] | Promise<Subscription[]> = (open) => open,
): Promise<{ open: Subscription[]; over: string[] }> {
  const found = await subscriptionsTo(table, topic);
  return {
    open: await chosen(found.filter((one) => isOpen(one, now))),
    over: found.filter((one) => !isOpen(one, now)).map(({ sk }) => sk),
  };
}

/** A subscription, as it is stored. */
export interface Subscription {
  sk: string;
  user?: unknown;
  /** The groups of its holder's token. */
  groups?: string[];
  /** What its holder is in the conversation of the topic, or of whose members they are. */
  role?: unknown;
  until?: unknown;
  watchedUntil?: unknown;
}

export const isAfter = (seconds: unknown, now: Date): boolean =>
  typeof seconds === 'number' && seconds > secondsOf(now);
export const isOpen = ({ until }: Subscription, now: Date): boolean => isAfter(until, now);

/** Returns all subscriptions to a topic, by one consistent query. */
export async function subscriptionsTo({ client, name }: Table, topic: string): Promise<Subscription[]> {
  const found: Subscription[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: name,
        KeyConditionExpression: 'pk = :topic',
        ExpressionAttributeValues: { ':topic': topic },
        ProjectionExpression: 'sk, #user, #groups, #role, #until, watchedUntil',
        ExpressionAttributeNames: { '#groups': 'groups', '#user': 'user', '#role': 'role', '#until': 'until' },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    found.push(...((page.Items ?? []) as Subscription[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return found;
}
