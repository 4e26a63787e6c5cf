import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from 'vigil-stepfunctions';
import { type MovedClock, movedClock } from 'vigil-stepfunctions/shared';

/**
 * The one clock of a local cloud, kept across restarts. A new offset is on disk before the first alarm goes off, so the
 * clock never goes back after a crash.
 */
export interface CloudClock extends MovedClock {
  /** The same time for housekeeping: a move does not stop at its alarms. They go off as soon as their time has passed. */
  passing: Clock;
  /** The offset in milliseconds, shared with the functions' threads (a `BigInt64Array` of one). */
  shared: SharedArrayBuffer;
}

/** The limit of the clock. JavaScript's dates end in the year 275760. */
export const lastTime = Date.UTC(9999, 0, 1);

export function openCloudClock(stateDirectory: string): CloudClock {
  const file = join(stateDirectory, 'clock.json');
  const clock = movedClock({ offset: readOffset(file) });
  const passing = movedClock({ offset: clock.offset() });
  const shared = new SharedArrayBuffer(8);
  const share = (offset: number) => Atomics.store(new BigInt64Array(shared), 0, BigInt(Math.round(offset)));
  share(clock.offset());
  return {
    now: clock.now,
    at: clock.at,
    next: clock.next,
    offset: clock.offset,
    stop() {
      clock.stop();
      passing.stop();
    },
    passing,
    shared,
    advance(ms) {
      if (!(ms >= 0) || clock.now() + ms > lastTime)
        throw new RangeError('The clock moves forward only, up to the year 9999.');
      const offset = clock.offset() + Math.round(ms);
      writeDurably(file, JSON.stringify({ offset }));
      share(offset);
      clock.advance(Math.round(ms));
      passing.advance(Math.round(ms));
    },
  };
}

function readOffset(file: string): number {
  try {
    const { offset } = JSON.parse(readFileSync(file, 'utf8')) as { offset: unknown };
    return typeof offset === 'number' && offset >= 0 ? offset : 0;
  } catch {
    return 0;
  }
}

/** Writes the file completely or not at all: a rename within a folder is atomic. */
function writeDurably(file: string, text: string): void {
  const draft = `${file}.new`;
  const open = openSync(draft, 'w');
  try {
    writeSync(open, text);
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
  renameSync(draft, file);
  // Flushes the rename itself. Systems that cannot open a folder do not need this.
  try {
    const folder = openSync(dirname(file), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {}
}
