import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { Call } from '../../base/state/schemas';
import { NotFound } from '../../base/text/errors';
import { readResult } from '../../conversations/calls/result';
import { type Person, readMetaFor } from '../../conversations/members/role';
import { inThisFormat } from '../../conversations/rows/formats';
import { key } from '../../conversations/rows/keys';
import { onlyReadable, parsedAs } from '../../conversations/rows/readable';
import { StoredCall } from '../../conversations/rows/rows';
import { readRow, type Table } from '../../conversations/store/table';
import { clippedCall } from './shown';

const atOnce = 20;
/** A Lambda response has at most 6 MB. */
const mostBytes = 5_000_000;

/**
 * Returns calls of a conversation with their whole arguments and results, for an export, in the order of their ids. A call that no
 * response could hold has the beginning of both.
 *
 * @param after the id of the last call of the previous page.
 * @throws NotFound if this person may not read the conversation.
 */
export async function wholeCalls(
  table: Table,
  conversationId: string,
  user: Person,
  after = '',
): Promise<{ calls: Call[]; more: boolean }> {
  await readMetaFor(table, conversationId, user);
  const query = new QueryCommand({
    TableName: table.name,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': key.conversation(conversationId),
      // The least key after that of the call. A space is less than every character of an id.
      ':from': `${key.call(after)} `,
      ':to': `${key.call('')}~`,
    },
    ConsistentRead: true,
    Limit: atOnce,
  });
  const { Items: rows = [], LastEvaluatedKey } = await table.client.send(query);
  const calls: Call[] = [];
  let bytes = 0;
  for (const stored of onlyReadable(StoredCall, rows.map(inThisFormat))) {
    const { call, size } = await wholeCall(table, conversationId, stored);
    bytes += size;
    if (calls.length > 0 && bytes > mostBytes) return { calls, more: true };
    calls.push(call);
  }
  return { calls, more: LastEvaluatedKey !== undefined };
}

/**
 * Returns one call in the same way.
 *
 * @throws NotFound if this person may not read the conversation, or has no such call.
 */
export async function readWholeCall(table: Table, conversationId: string, user: Person, callId: string): Promise<Call> {
  await readMetaFor(table, conversationId, user);
  const row = await readRow(table, conversationId, key.call(callId));
  if (!row) throw new NotFound(`There is no call ${callId} in this conversation.`);
  return (await wholeCall(table, conversationId, parsedAs(StoredCall, row))).call;
}

async function wholeCall(
  table: Table,
  conversationId: string,
  stored: StoredCall,
): Promise<{ call: Call; size: number }> {
  const result = await readResult(table, conversationId, stored).catch(() => undefined);
  // A part that is gone leaves the beginning of the result.
  const call = Call.parse({ ...stored, result: result ?? stored.result });
  // In the response, the body is a string: its quotes are escaped.
  const size = Buffer.byteLength(JSON.stringify(JSON.stringify(call)));
  return { call: size <= mostBytes ? call : clippedCall(call), size };
}
