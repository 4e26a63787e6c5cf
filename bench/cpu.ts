import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in ticks, of which every Linux that Node runs on has a hundred a second. */
const ticksPerSecond = 100;

/**
 * CPU seconds that a process and all that it started have taken so far. Linux only, see proc(5).
 *
 * @throws Error where there is no /proc.
 */
export function cpuSeconds(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const ticks = (of: number): number =>
    processes
      .filter(({ pid, parent }) => pid === of || parent === of)
      .reduce((sum, one) => sum + (one.pid === of ? one.ticks : ticks(one.pid)), 0);
  return ticks(pid) / ticksPerSecond;
}

interface Stat {
  pid: number;
  parent: number;
  /** Its own, and those of its children that have ended. */
  ticks: number;
}

function statOf(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the last bracket may have anything in it.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, used] = [fields[1]!, fields.slice(11, 15)];
    return [{ pid, parent, ticks: used.reduce((sum, one) => sum + one, 0) }];
  } catch {
    // It has ended since its name was read.
    return [];
  }
}
