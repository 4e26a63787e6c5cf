import type { Tool } from '../../conversations/agent/tool';
import { type Person, readMetaFor } from '../../conversations/members/role';
import { readEach } from '../../conversations/rows/readable';
import { readKind, type Table } from '../../conversations/store/table';
import { shownCall, shownCallback, shownConversation, shownMessage } from './shown';
import { type Timeline, timelineOf } from './timeline';

/** @throws NotFound if this person may not read it. */
export async function readTimeline(
  table: Table,
  tools: ReadonlyMap<string, Tool>,
  id: string,
  user: Person,
  now: Date,
): Promise<Timeline> {
  const meta = await readMetaFor(table, id, user);
  const [messages, calls, callbacks] = await Promise.all([
    readKind(table, id, 'message'),
    readKind(table, id, 'call'),
    readKind(table, id, 'callback'),
  ]);
  const rows = {
    messages: readEach(messages, shownMessage).read,
    calls: readEach(calls, shownCall).read,
    callbacks: readEach(callbacks, (row) => shownCallback(row, now)).read,
    run: shownConversation(meta).run,
  };
  return timelineOf(rows, tools);
}
