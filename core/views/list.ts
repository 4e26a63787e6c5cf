import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { ConversationSummary } from '../state/schemas';
import { key } from '../store/rows';
import type { Table } from '../store/table';
import { InvalidInput } from '../text/errors';

/** Returns a user's conversations, the last changed first. `cursor` is the opaque one of the previous page. */
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

/** A cursor is a place in the index. The owner comes from the token, so a forged cursor cannot show other users' rows. */
const encodeCursor = ({ pk, updatedAt }: Record<string, unknown>) =>
  Buffer.from(JSON.stringify([pk, updatedAt])).toString('base64url');

/** As strict as what `encodeCursor` writes, because DynamoDB rejects an empty or too long key with an error that looks internal. */
const Place = z.tuple([z.string().regex(/^C#[\w-]{1,64}$/), z.iso.datetime()]);

function decodeCursor(cursor: string, owner: string) {
  try {
    const [pk, updatedAt] = Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { pk, sk: key.meta, owner, updatedAt };
  } catch {
    throw new InvalidInput('cursor', 'use the cursor of the previous page');
  }
}
