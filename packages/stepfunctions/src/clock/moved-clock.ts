import type { Alarm, Clock } from './clock';

/** The maximum delay of setTimeout, a signed 32-bit integer. Longer waits are split. */
const longestTimer = 2 ** 31 - 1;

export interface MovedClock extends Clock {
  /** Moves the clock forward by `ms` milliseconds. Alarms that become due wake in the order of their times. */
  advance(ms: number): void;
  /** Returns the time of the earliest alarm, in milliseconds since the epoch; undefined without alarms. */
  next(): number | undefined;
  /** Returns how far the clock is ahead of the machine's, in milliseconds. */
  offset(): number;
  /** Cancels all alarms. */
  stop(): void;
}

interface Entry extends Alarm {
  time: number;
  order: number;
  wake: (() => void) | undefined;
}

/**
 * Creates a clock: real time plus an offset that can grow. Times and `offset` are milliseconds.
 *
 * All alarms are in one binary heap with one real timer, so 100,000 alarms cost only memory. The timer does not keep
 * the process alive; a server or a file does that.
 *
 * @example
 * ```ts
 * import { movedClock } from 'vigil-stepfunctions';
 *
 * const clock = movedClock();
 * const day = 86_400_000;
 * const woken: string[] = [];
 * clock.at(clock.now() + 2 * day, () => woken.push('after two days'));
 *
 * clock.advance(day);
 * woken; // → []
 * clock.next()! - clock.now() > day / 2; // → true
 * clock.advance(day);
 * woken; // → ['after two days']
 * clock.next(); // → undefined
 * ```
 */
export function movedClock(options: { offset?: number } = {}): MovedClock {
  let offset = options.offset ?? 0;
  let order = 0;
  let cancelled = 0;
  let heap: Entry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Number.POSITIVE_INFINITY;

  const now = () => Date.now() + offset;

  function arm(): void {
    const first = heap[0];
    if (first === undefined) return;
    if (timer !== undefined && armedFor <= first.time) return;
    if (timer !== undefined) clearTimeout(timer);
    armedFor = first.time;
    timer = setTimeout(ring, Math.min(Math.max(first.time - now(), 0), longestTimer));
    timer.unref();
  }

  function ring(): void {
    timer = undefined;
    armedFor = Number.POSITIVE_INFINITY;
    for (let first = heap[0]; first !== undefined && first.time <= now(); first = heap[0]) {
      pop(heap);
      const wake = first.wake;
      first.wake = undefined;
      if (wake === undefined) cancelled -= 1;
      else wake();
    }
    arm();
  }

  return {
    now,
    offset: () => offset,
    at(time, wake) {
      order += 1;
      const entry: Entry = {
        time,
        order,
        wake,
        cancel() {
          if (entry.wake === undefined) return;
          entry.wake = undefined;
          cancelled += 1;
          // Cancelled entries are removed when they become due, or all at once when they are the majority.
          if (cancelled > 1_000 && cancelled > heap.length / 2) {
            heap = heap.filter((each) => each.wake !== undefined).sort(earlier);
            cancelled = 0;
          }
        },
      };
      push(heap, entry);
      arm();
      return entry;
    },
    next() {
      while (heap[0] !== undefined && heap[0].wake === undefined) {
        pop(heap);
        cancelled -= 1;
      }
      return heap[0]?.time;
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock moves forward only: ${ms} ms`);
      offset += ms;
      if (timer !== undefined) clearTimeout(timer);
      ring();
    },
    stop() {
      if (timer !== undefined) clearTimeout(timer);
      timer = undefined;
      heap = [];
    },
  };
}

/** Equal times wake in the order in which they were set. */
const earlier = (a: Entry, b: Entry) => a.time - b.time || a.order - b.order;

function push(heap: Entry[], entry: Entry): void {
  let at = heap.length;
  heap.push(entry);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const parent = heap[above]!;
    if (earlier(parent, entry) <= 0) break;
    heap[at] = parent;
    at = above;
  }
  heap[at] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && earlier(heap[below + 1]!, heap[below]!) < 0) below += 1;
    if (earlier(last, heap[below]!) <= 0) break;
    heap[at] = heap[below]!;
    at = below;
  }
  heap[at] = last;
}
