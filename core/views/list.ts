import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ConversationSummary } from '../state/schemas';
import { key } from '../store/rows';
import type { Table } from '../store/table';
import { InvalidInput } from '../text/errors';

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

/** As strict as what we write: DynamoDB fails on a key that is empty or too long, and the fault would look like ours. */
const Place = z.tuple([z.string().regex(/^C#[\w-]{1,64}$/), z.iso.datetime()]);

function decodeCursor(cursor: string, owner: string) {
  try {
    const [pk, updatedAt] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { pk, sk: key.meta, owner, updatedAt };
  } catch {
    throw new InvalidInput('cursor', 'use the one that the page before answered');
  }
}
