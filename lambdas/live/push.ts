import { sideBySide } from '../../core/base/time/side-by-side';
import type { Table } from '../../core/conversations/store/table';
import type { Push } from '../../core/people/live/broadcast';
import { type LiveTables, mayReadNow } from '../../core/people/live/readers';
import {
  closeConnection,
  conversationOfTopic,
  dropSubscription,
  type Subscription,
  subscribersOf,
} from '../../core/people/live/subscriptions';
import { log, withFields } from '../../runtime/log';

/** The live view's open connections at API Gateway. */
export interface Connections {
  /** @throws GoneException if the connection has ended. */
  post(connectionId: string, frame: string, signal: AbortSignal): Promise<void>;
  close(connectionId: string, signal: AbortSignal): Promise<void>;
}

/** The number of concurrent posts, and the time for all posts to one client. */
const atOnce = 64;
const patienceMs = 2_000;

/**
 * Sends each push to all subscribers of its topic, in parallel. Frames for one client are sent in order. A connection that does not
 * accept its frames in time is closed, because the client would miss rows without noticing. It connects and reads again. So does one
 * whose token has ended, which gets nothing.
 */
export async function pushAll(tables: LiveTables, connections: Connections, pushes: readonly Push[]): Promise<void> {
  const { table, live } = tables;
  const now = new Date();
  const jobs = await Promise.all(
    pushes.map(async (push) => {
      const conversationId = conversationOfTopic(push.topic);
      // Who may read it no more is told that it is gone, and nothing else.
      const isForReaders = conversationId !== undefined && !push.last;
      const { open, over } = await subscribersOf(live, push.topic, now, (all) =>
        isForReaders ? mayReadNow(table, conversationId, all) : all,
      );
      const tally: Tally = { pushed: 0, gone: 0, closed: 0, ended: 0 };
      const counted = async (done: Promise<Done>) => {
        tally[await done] += 1;
      };
      const posts = open.map((one) => () => counted(pushTo(live, connections, one, push)));
      const ends = over.map((one) => () => counted(end(live, connections, one, push)));
      return { push, tally, all: [...posts, ...ends] };
    }),
  );
  const each = jobs.flatMap(({ push: { conversationId }, all }) =>
    all.map((job) => () => withFields({ conversationId }, job)),
  );
  await sideBySide(each, atOnce, (job) => job());
  for (const { push, tally, all } of jobs)
    if (all.length > 0) log.info('broadcast', { conversationId: push.conversationId, ...tally });
}

type Tally = Record<Done, number>;

type Done = 'pushed' | 'gone' | 'closed' | 'ended';

async function pushTo(
  live: Table,
  connections: Connections,
  { sk: connectionId, user }: Subscription,
  { topic, frames, ofOwner, last }: Push,
): Promise<Done> {
  const theirs = ofOwner && ofOwner.owner === user ? ofOwner.frames : frames;
  try {
    await withinPatience(async (signal) => {
      for (const frame of theirs) await connections.post(connectionId, frame, signal);
    });
    if (last) await dropSubscription(live, connectionId, topic);
    return 'pushed';
  } catch (error) {
    const { name } = error as Error;
    const gone = name === 'GoneException';
    if (!gone) {
      log.warn('a client could not be reached', { connectionId, error: name });
      await close(connections, connectionId);
    }
    await forget(live, connectionId, topic);
    return gone ? 'gone' : 'closed';
  }
}

async function end(live: Table, connections: Connections, connectionId: string, { topic }: Push): Promise<Done> {
  await close(connections, connectionId);
  await forget(live, connectionId, topic);
  return 'ended';
}

/** The subscription is dropped explicitly, because the connection's row, which lists all of them, may already be gone. */
async function forget(live: Table, connectionId: string, topic: string): Promise<void> {
  await Promise.all([closeConnection(live, connectionId), dropSubscription(live, connectionId, topic)]);
}

const close = (connections: Connections, connectionId: string): Promise<void> =>
  closeNow(connections, connectionId).catch((error: Error) =>
    log.warn('a connection could not be closed', { connectionId, error: error.name }),
  );

/** Closes a connection, if it has not ended. */
export async function closeNow(connections: Connections, connectionId: string): Promise<void> {
  await withinPatience((signal) => connections.close(connectionId, signal)).catch((error: Error) => {
    if (error.name !== 'GoneException') throw error;
  });
}

/** Rejects after the time limit, even if `work` ignores its signal. */
export async function withinPatience(
  work: (signal: AbortSignal) => Promise<void>,
  milliseconds = patienceMs,
): Promise<void> {
  const signal = AbortSignal.timeout(milliseconds);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  await Promise.race([work(signal), late]);
}
