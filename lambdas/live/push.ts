import type { Push } from '../../core/live/broadcast';
import { closeConnection, dropSubscription, subscribersOf } from '../../core/live/subscriptions';
import type { Table } from '../../core/store/table';
import { log } from '../../runtime/log';

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
 * accept its frames in time is closed, because the client would miss rows without noticing. It connects and reads again.
 */
export async function pushAll(live: Table, connections: Connections, pushes: readonly Push[]): Promise<void> {
  const subscribers = await Promise.all(pushes.map(({ topic }) => subscribersOf(live, topic)));
  const posts = pushes.flatMap((push, index) => subscribers[index]!.map((connectionId) => ({ push, connectionId })));
  const tally = { pushed: 0, gone: 0, closed: 0 };
  const next = posts.values();
  const work = async () => {
    for (const { push, connectionId } of next) tally[await pushTo(live, connections, connectionId, push)] += 1;
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, posts.length) }, work));
  if (posts.length > 0) log.info('broadcast', { topics: pushes.length, ...tally });
}

async function pushTo(live: Table, connections: Connections, connectionId: string, { topic, frames, last }: Push) {
  try {
    await withinPatience(async (signal) => {
      for (const frame of frames) await connections.post(connectionId, frame, signal);
    });
    if (last) await dropSubscription(live, connectionId, topic);
    return 'pushed';
  } catch (error) {
    const gone = (error as Error).name === 'GoneException';
    if (!gone) await close(connections, connectionId, error as Error);
    // This subscription is dropped explicitly, because the connection's row, which lists all of them, may already be gone.
    await Promise.all([closeConnection(live, connectionId), dropSubscription(live, connectionId, topic)]);
    return gone ? 'gone' : 'closed';
  }
}

async function close(connections: Connections, connectionId: string, why: Error): Promise<void> {
  log.warn('a client could not be reached', { connectionId, error: why.name });
  await withinPatience((signal) => connections.close(connectionId, signal)).catch((error: Error) => {
    if (error.name !== 'GoneException')
      log.warn('a connection could not be closed', { connectionId, error: error.name });
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
