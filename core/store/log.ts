import type { CallWithResult } from '../transcript';
import { joinParts } from './result';
import { key, StoredCall, StoredMessage } from './rows';
import { readRows, type Table } from './table';

/** All that was said and done in a conversation, each call with its whole result: what a model call is made from. */
export interface Log {
  messages: StoredMessage[];
  calls: CallWithResult[];
}

export async function readLog(table: Table, conversationId: string): Promise<Log> {
  const [callRows, messageRows, partRows] = await Promise.all([
    readRows(table, conversationId, key.call(''), `${key.call('')}~`),
    readRows(table, conversationId, key.message(0), 'M#~'),
    readRows(table, conversationId, 'PART#', 'PART#~'),
  ]);
  const parts = new Map<string, Uint8Array[]>();
  for (const row of partRows as { sk: string; data: Uint8Array }[]) {
    const callId = row.sk.split('#')[1]!;
    parts.set(callId, [...(parts.get(callId) ?? []), row.data]);
  }
  const calls = callRows.map((row): CallWithResult => {
    const call = StoredCall.parse(row);
    const pieces = call.parts ? parts.get(call.id) : undefined;
    return pieces ? { ...call, wholeResult: joinParts(pieces) } : call;
  });
  return { messages: messageRows.map((row) => StoredMessage.parse(row)), calls };
}
