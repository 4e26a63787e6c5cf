import { type CloudClock, lastTime } from '../cloud-clock';
import type { Quiet } from './quiet';

/** How far the clock is to move: to a time, in milliseconds since the epoch, or by milliseconds from when nothing runs. */
export type Distance = { to: number } | { by: number };

interface MoveOptions {
  /** Goes to the end at once, as after an outage: what is due on the way is late. */
  jump?: boolean;
  /** How long running functions may take, in real milliseconds, before the clock moves on. */
  withinMs?: number;
}

/**
 * Moves the clock of a local cloud. A move stops at each time at which something is due, and goes on when what it has
 * started is done. The offset is on disk at each stop, so a restart continues there.
 */
export interface Moves {
  /**
   * Resolves when the clock is there, or was stopped.
   *
   * @throws MoveUnderWay; RangeError for a time that the clock cannot have.
   */
  move(distance: Distance, options?: MoveOptions): Promise<void>;
  /** Returns the end of the move that is under way, in milliseconds since the epoch. */
  movingTo(): number | undefined;
  /** Ends the move that is under way where it is. */
  stop(): Promise<void>;
}

/** There is one clock, and it can move to one time only. */
export class MoveUnderWay extends Error {
  override name = 'MoveUnderWay';
}

/** Functions that run longer than this, or hang, are not waited for. */
const quietMs = { jump: 1_500, step: 30_000 };

export function openMoves(clock: CloudClock, quiet: Quiet): Moves {
  let current: { to: number; stopping: AbortController; ended: Promise<void> } | undefined;

  async function pass(distance: Distance, { jump = false, withinMs }: MoveOptions, signal: AbortSignal): Promise<void> {
    // Work takes real time, but its timeouts follow the moved clock. A move must not cause a timeout, so running work
    // may finish first.
    const rest = () => quiet(withinMs ?? (jump ? quietMs.jump : quietMs.step), signal);
    const go = (time: number) => clock.advance(Math.max(0, time - clock.now()));
    await rest();
    const to = 'to' in distance ? distance.to : clock.now() + distance.by;
    if (current) current.to = to;
    for (let next = clock.next(); !jump && !signal.aborted && next !== undefined && next <= to; next = clock.next()) {
      go(next);
      await rest();
    }
    if (!signal.aborted) go(to);
  }

  return {
    movingTo: () => current?.to,
    async move(distance, options = {}) {
      if (current)
        throw new MoveUnderWay(
          `The clock is moving to ${new Date(current.to).toISOString()}: wait until it is there, or stop it.`,
        );
      const to = 'to' in distance ? distance.to : clock.now() + distance.by;
      if (!(to <= lastTime)) throw new RangeError('The clock moves forward only, up to the year 9999.');
      const stopping = new AbortController();
      const ended = pass(distance, options, stopping.signal).finally(() => {
        current = undefined;
      });
      current = { to, stopping, ended };
      await ended;
    },
    async stop() {
      current?.stopping.abort();
      await current?.ended.catch(() => undefined);
    },
  };
}
