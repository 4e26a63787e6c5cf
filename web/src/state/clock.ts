import type { LocalCloud, LocalTime } from '../network/local-cloud';
import { nowIn } from './now';
import type { VigilStore } from './vigil-state';

/**
 * The local cloud's clock, which the page follows. Another page may move it, so it is read again when something
 * suggests that.
 */
export interface Clock {
  read(): Promise<void>;
  move(to: { advance: string } | { to: string }): Promise<void>;
}

/** Rows this much later than now mean that another page has moved the clock. */
const aheadMs = 3_000;

export function openClock(store: VigilStore, local: LocalCloud): Clock {
  const show = ({ offset }: LocalTime) => store.setState({ offset });
  const read = async () => {
    const health = await local.health().catch(() => undefined);
    if (!health) return;
    const { offset, model, search } = health;
    store.setState({ offset, standIns: { model, search } });
  };
  store.subscribe((state, before) => {
    const { list } = state;
    if (list === before.list) return;
    const now = nowIn(state);
    if ([...list.values()].some(({ updatedAt }) => Date.parse(updatedAt) > now + aheadMs)) void read();
  });
  addEventListener('focus', () => void read());
  return {
    read,
    move: async (to) => show(await local.move(to)),
  };
}

/** Returns the time of "tomorrow 8:00", in the reader's time zone by the moved clock. */
export function tomorrowAt(hour: number, now: number): string {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1, hour).toISOString();
}
