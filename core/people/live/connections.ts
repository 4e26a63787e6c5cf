import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { connectionsOfUser } from '../../base/state/user-limits';
import { LimitReached } from '../../base/text/errors';
import { retryOnConflict } from '../../conversations/store/retry-on-conflict';

interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

/** For whom a connection acts: a user, as the deciders that their token made them (`core/conversations/agent/approvers.ts`), until the token ends. */
export const Holder = z.object({
  user: z.string().min(1),
  deciders: z.array(z.string()),
  /** The groups of their token. Rows from before there were members have none. */
  groups: z.array(z.string()).default([]),
  /** In seconds since 1970. */
  until: z.number(),
});
export type Holder = z.infer<typeof Holder>;

/** API Gateway closes a connection after two hours. Rows live a little longer than a connection and its token. */
const connectionSeconds = 2 * 3_600 + 600;
const leftoverSeconds = 600;
export const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1_000);
export const expiryOf = (until: number, now: Date): number =>
  Math.min(secondsOf(now) + connectionSeconds, until + leftoverSeconds);
export const connectionKey = (connectionId: string) => ({ pk: `CONNECTION#${connectionId}`, sk: 'CONNECTION' });
const Connections = z.object({
  open: z.record(z.string(), z.number().catch(0)).catch({}),
  version: z.number().catch(0),
});
const userKey = (user: string) => ({ pk: `USER#${user}`, sk: 'CONNECTIONS' });

/**
 * A user's open connections, each with the time of its end: API Gateway may report an end never, and a connection that is not removed
 * must not count for ever.
 */
async function connectionsOf({ client, name }: Table, user: string, now: Date) {
  const { Item = {} } = await client.send(
    new GetCommand({ TableName: name, Key: userKey(user), ConsistentRead: true }),
  );
  const { open, version } = Connections.parse(Item);
  return { open: Object.fromEntries(Object.entries(open).filter(([, end]) => end > secondsOf(now))), version };
}

export const countConnections = async (table: Table, user: string, now: Date): Promise<number> =>
  Object.keys((await connectionsOf(table, user, now)).open).length;

export const tooManyConnections = (used: number, most: number): LimitReached =>
  new LimitReached({ name: 'connections', used, most }, `You have ${used} of ${most} open connections. Close a page.`);

/**
 * Adds a connection and its holder. Of those that are opened at once, no more succeed than the limit allows.
 *
 * @throws LimitReached if the user has too many.
 */
export async function openConnection(
  table: Table,
  connectionId: string,
  holder: Holder,
  now: Date,
  most = connectionsOfUser,
): Promise<void> {
  const { client, name: TableName } = table;
  const { user } = holder;
  const ttl = expiryOf(holder.until, now);
  await retryOnConflict('Too many connections are opened at once.', async () => {
    const { open, version } = await connectionsOf(table, user, now);
    // An earlier attempt has committed, and its answer was lost.
    if (open[connectionId] !== undefined) return true;
    const used = Object.keys(open).length;
    if (used >= most) throw tooManyConnections(used, most);
    const all = { ...userKey(user), open: { ...open, [connectionId]: ttl }, version: version + 1, ttl };
    const unchanged = {
      ConditionExpression: version === 0 ? 'attribute_not_exists(pk)' : '#version = :version',
      ...(version > 0 && {
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':version': version },
      }),
    };
    const puts = [
      { Put: { TableName, Item: all, ...unchanged } },
      { Put: { TableName, Item: { ...connectionKey(connectionId), ...holder, ttl } } },
    ];
    try {
      await client.send(new TransactWriteCommand({ TransactItems: puts }));
      return true;
    } catch (error) {
      if ((error as Error).name !== 'TransactionCanceledException') throw error;
      return undefined;
    }
  });
}

/** Takes a closed connection off its user's. */
export async function forgetConnection({ client, name }: Table, connectionId: string, user: string): Promise<void> {
  const forget = {
    TableName: name,
    Key: userKey(user),
    UpdateExpression: 'REMOVE #open.#id ADD #version :one',
    ConditionExpression: 'attribute_exists(#open.#id)',
    ExpressionAttributeNames: { '#open': 'open', '#id': connectionId, '#version': 'version' },
    ExpressionAttributeValues: { ':one': 1 },
  };
  await client.send(new UpdateCommand(forget)).catch((error: Error) => {
    if (error.name !== 'ConditionalCheckFailedException') throw error;
  });
}
