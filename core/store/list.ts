import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { InvalidInput } from '../errors';
import { ConversationSummary } from '../schemas';
import { key } from './rows';
import type { Table } from './table';

/** A user's conversations, the last changed first. `cursor` is opaque: what the page before answered. */
export async function listConversations(table: Table, user: string, cursor?: string, limit = 30) {
  const page = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: 'byOwner',
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': user },
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: cursor ? decodeCursor(cursor, user) : undefined,
    }),
  );
  const conversations = (page.Items ?? []).map(({ conversationId, ...row }) =>
    ConversationSummary.parse({ ...row, id: conversationId }),
  );
  return { conversations, cursor: page.LastEvaluatedKey && encodeCursor(page.LastEvaluatedKey) };
}

/** A cursor names a place in the index; whose index it is comes from the token, so a forged one shows nothing foreign. */
const encodeCursor = ({ pk, updatedAt }: Record<string, unknown>) =>
  Buffer.from(JSON.stringify([pk, updatedAt])).toString('base64url');

function decodeCursor(cursor: string, owner: string) {
  try {
    const [pk, updatedAt] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, string];
    if (typeof pk === 'string' && typeof updatedAt === 'string') return { pk, sk: key.meta, owner, updatedAt };
  } catch {
    // Falls through: an unreadable cursor is as wrong as an invented one.
  }
  throw new InvalidInput('cursor', 'use the one that the page before answered');
}
