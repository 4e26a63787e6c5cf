import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts in ticks, of which Linux has a hundred a second. */
const ticksPerSecond = 100;

/**
 * Returns the CPU seconds that a process and its descendants have used so far. Linux only, see proc(5).
 *
 * @throws Error if there is no /proc.
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
  /** Those of the process and of its children that have ended. */
  ticks: number;
}

function statOf(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the last bracket may contain anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent, used] = [fields[1]!, fields.slice(11, 15)];
    return [{ pid, parent, ticks: used.reduce((sum, one) => sum + one, 0) }];
  } catch {
    // The process has ended since its name was read.
    return [];
  }
}

/** Returns what a process has now: its resident memory in MiB, and its threads. Linux only. @throws Error if there is no such process. */
export function sizeOf(pid: number): { residentMiB: number; threads: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return { residentMiB: field('VmRSS') / 1_024, threads: field('Threads') };
}
