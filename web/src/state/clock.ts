import type { Client } from 'vigil-client';
import type { LocalCloud, LocalTime } from '../network/local-cloud';
import { nowIn } from './now';
import { notify, type VigilStore } from './vigil-state';

/**
 * The local cloud's clock, which the page follows. Another page may move it, so it is read again when something
 * suggests that.
 */
export interface Clock {
  read(): Promise<void>;
  /** Resolves when the clock is there, or was stopped. */
  move(to: { advance: string } | { to: string }): Promise<void>;
  stop(): Promise<void>;
}

/** Rows this much later than now mean that another page has moved the clock. */
const aheadMs = 3_000;
/** The page shows this often where a moving clock is. */
const followMs = 300;

export function openClock(store: VigilStore, conversations: Client['conversations'], local: LocalCloud): Clock {
  let turns = 0;
  /** Shows the time until the clock rests. The latest call does so alone, because an older answer may come later. */
  async function follow(first: Promise<LocalTime>): Promise<void> {
    let time = await first;
    turns += 1;
    const turn = turns;
    const show = ({ offset, movingTo }: LocalTime) => turn === turns && store.setState({ offset, movingTo });
    try {
      for (; show(time) !== false && time.movingTo; time = await local.time()) await pause(followMs);
    } catch (error) {
      show({ ...time, movingTo: undefined });
      throw error;
    }
  }
  const read = async () => {
    const health = await local.health().catch(() => undefined);
    if (!health) return;
    const { model, search } = health;
    store.setState({ standIns: { model, search } });
    await follow(Promise.resolve(health)).catch(() => undefined);
  };
  conversations.subscribe(() => {
    const now = nowIn(store.getState());
    if ([...conversations.getSnapshot().byId.values()].some(({ updatedAt }) => Date.parse(updatedAt) > now + aheadMs))
      void read();
  });
  addEventListener('focus', () => void read());
  return {
    read,
    move: (to) => follow(local.move(to)),
    stop: () => follow(local.stop()),
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Says why a move has failed. */
export const toldOf = (store: VigilStore, moved: Promise<void>): Promise<void> =>
  moved.catch((error: Error) => notify(store, error.message));

/** Returns the time of "tomorrow 8:00", in the reader's time zone by the moved clock. */
export function tomorrowAt(hour: number, now: number): string {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, hour).toISOString();
}
