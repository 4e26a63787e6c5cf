import { addUsage, Call, Callback, type Conversation, Message, noUsage, Run, Timer } from '../schemas';
import { readOwnMeta } from './conversation';
import { key } from './rows';
import { readRows, type Table } from './table';

/**
 * A conversation as its owner may see it: public shapes only, so no task token, no writer, no outbox.
 *
 * @param after only messages with a larger sequence number; calls and callbacks always, since they change in place.
 * @throws NotFound if it is not this user's.
 */
export async function viewConversation(table: Table, id: string, user: string, after = 0): Promise<Conversation> {
  // META first: whatever it speaks of is then in the rows read after it.
  const meta = await readOwnMeta(table, id, user);
  const [messages, calls, callbacks, timers] = await Promise.all([
    readRows(table, id, key.message(after + 1), 'M#~'),
    readRows(table, id, key.call(''), `${key.call('')}~`),
    readRows(table, id, key.callback(''), `${key.callback('')}~`),
    readRows(table, id, key.timer(''), `${key.timer('')}~`),
  ]);
  const { title, agent, status, until, createdAt, updatedAt } = meta;
  return {
    id,
    title,
    agent,
    status,
    until,
    createdAt,
    updatedAt,
    run: meta.run && Run.parse(meta.run),
    messages: messages.map((row) => Message.parse(row)),
    calls: calls.map((row) => Call.parse(row)),
    callbacks: callbacks.map((row) => Callback.parse(row)),
    timers: timers.map((row) => Timer.parse(row)),
    usage: addUsage(meta.earlierUsage, meta.run?.usage ?? noUsage),
  };
}
