// core/people/streams: what happens in a conversation, as events that other libraries read.

import { beginningAt, beginsTurn, isReply, type Place, type Reader, type Seen } from 'vigil-client/shared';
import { stepPrefix } from '../../conversations/calls/call';
import { type Person, type Role, readMetaFor, roleIn } from '../../conversations/members/role';
import { readEach } from '../../conversations/rows/readable';
import { readKind, type Table } from '../../conversations/store/table';
import { readMessages } from '../views/messages';
import { shownCall, shownCallback, shownConversation } from '../views/shown';

/**
 * Reads what a stream needs at a place: the head, the messages after it, and the calls and callbacks from the oldest step on that is
 * open or new. Without a place, the stream begins after the last message of a person.
 *
 * @throws NotFound if this person may not read the conversation.
 */
export async function readSince(
  table: Table,
  id: string,
  user: Person,
  given: Place | undefined,
  now: Date,
): Promise<{ seen: Seen; place: Place }> {
  // In this order, what is read later has all that was committed with what is read first: META names the run's state, and a complete
  // reply has its calls.
  const meta = await readMetaFor(table, id, user);
  const head = shownConversation(meta);
  const reader = readerOf(user, roleIn(meta, user));
  const { messages: all } = await readMessages(table, id, given?.seq ?? 0);
  const place = given ?? beginningAt(all.findLast(beginsTurn)?.seq ?? 0);
  const messages = all.filter(({ seq }) => seq > place.seq);
  const steps = messages.flatMap((one) => (isReply(one) && one.runId ? [stepPrefix(one.runId, one.step ?? 0)] : []));
  const open = Object.keys(place.calls).map((callId) => callId.slice(0, callId.lastIndexOf('.') + 1));
  // The callbacks that the run waits for may be of the step that was told last.
  const own = head.run ? [stepPrefix(head.run.id, head.run.step)] : [];
  const [first] = [...steps, ...open, ...own].sort();
  if (first === undefined) return { seen: { head, messages, calls: [], callbacks: [], reader }, place };
  const [calls, callbacks] = await Promise.all([
    readKind(table, id, 'call', first, ''),
    readKind(table, id, 'callback', first, ''),
  ]);
  const seen = {
    head,
    messages,
    calls: readEach(calls, shownCall).read,
    callbacks: readEach(callbacks, (row) => shownCallback(row, now)).read,
    reader,
  };
  return { seen, place };
}

/** Who reads a conversation through the one of its parent only watches it. */
function readerOf(person: Person, role: Role = 'watcher'): Reader {
  const { user, groups, claims = {} } = typeof person === 'string' ? { user: person, groups: [] } : person;
  return { user, groups, claims, role };
}
