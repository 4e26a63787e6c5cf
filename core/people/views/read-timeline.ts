import type { Tool } from '../../conversations/agent/tool';
import { readOwnMeta } from '../../conversations/runs/conversation';
import { readKind, type Table } from '../../conversations/store/table';
import { shownCall, shownCallback, shownConversation, shownMessage } from './shown';
import { type Timeline, timelineOf } from './timeline';

/** @throws NotFound if it is not this user's. */
export async function readTimeline(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  id: string,
  user: string,
  now: Date,
): Promise<Timeline> {
  const meta = await readOwnMeta(table, id, user);
  const [messages, calls, callbacks] = await Promise.all([
    readKind(table, id, 'message'),
    readKind(table, id, 'call'),
    readKind(table, id, 'callback'),
  ]);
  const rows = {
    messages: messages.map((row) => shownMessage(row)),
    calls: calls.map(shownCall),
    callbacks: callbacks.map((row) => shownCallback(row, now)),
    run: shownConversation(meta).run,
  };
  return timelineOf(rows, tools);
}
