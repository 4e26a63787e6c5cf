import type { LocalCloud, LocalTime } from '../network/local-cloud';
import type { VigilStore } from './vigil-state';

/** The moved clock of a laptop, as the page goes by it. Another page may move it: it is read again whenever there is a hint. */
export interface Clock {
  read(): Promise<void>;
  move(to: { advance: string } | { to: string }): Promise<void>;
}

/** Rows that are this much later than now come from a clock that was moved elsewhere. */
const aheadMs = 3_000;

export function openClock(store: VigilStore, local: LocalCloud): Clock {
  const show = ({ offset }: LocalTime) => store.setState({ offset });
  const read = async () => {
    show(await local.clock().catch(() => ({ now: '', offset: store.getState().offset })));
  };
  store.subscribe(({ list, offset }, before) => {
    if (list === before.list) return;
    const now = Date.now() + offset;
    if ([...list.values()].some(({ updatedAt }) => Date.parse(updatedAt) > now + aheadMs)) void read();
  });
  addEventListener('focus', () => void read());
  return {
    read,
    move: async (to) => show(await local.move(to)),
  };
}

/** "Tomorrow 8:00", counted from the moved clock's day; all times are UTC. */
export function tomorrowAt(hour: number, now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1, hour)).toISOString();
}
