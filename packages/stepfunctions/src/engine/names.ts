import { type Archive, type Summary, summaryOf } from './archive';
import type { Entry } from './entry';
import { identityOf } from './machines';

/** The place of an execution in a list that has the newest first: the negative of its start and of its number. */
export type Place = readonly [number, number];

export const placeOf = ({ startTime, serial }: Pick<Entry, 'startTime' | 'serial'>): Place => [-startTime, -serial];

const isBefore = (a: Pick<Entry, 'startTime' | 'serial'>, b: Pick<Entry, 'startTime' | 'serial'>): boolean =>
  a.startTime < b.startTime || (a.startTime === b.startTime && a.serial < b.serial);

/** The executions of one state machine that are in memory. */
class MachineEntries {
  readonly byName = new Map<string, Entry>();
  /** In the order of their start; put in order when it is read. */
  private ordered: Entry[] = [];
  private inOrder = true;

  add(entry: Entry): void {
    const last = this.ordered.at(-1);
    this.inOrder &&= !this.byName.has(entry.name) && (last === undefined || isBefore(last, entry));
    this.byName.set(entry.name, entry);
    this.ordered.push(entry);
  }

  remove(entry: Entry): void {
    if (this.byName.get(entry.name) !== entry) return;
    this.byName.delete(entry.name);
    this.inOrder = false;
  }

  /** Oldest first. */
  list(): readonly Entry[] {
    if (!this.inOrder) this.ordered = [...this.byName.values()].sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.inOrder = true;
    return this.ordered;
  }
}

/** Executions by name, those in memory and, where one looks further, those in the archive. */
export class ExecutionNames {
  /** By the state machine's identity. */
  private readonly machines = new Map<string, MachineEntries>();

  constructor(private readonly archive: Archive | undefined) {}

  add(entry: Entry): void {
    const identity = identityOf(entry.revision);
    let entries = this.machines.get(identity);
    if (entries === undefined) {
      entries = new MachineEntries();
      this.machines.set(identity, entries);
    }
    entries.add(entry);
  }

  remove(entry: Entry): void {
    this.machines.get(identityOf(entry.revision))?.remove(entry);
  }

  find(machine: string, name: string): Entry | undefined {
    return this.machines.get(machine)?.byName.get(name);
  }

  /** The executions of one state machine that run. */
  running(machine: string): Entry[] {
    return [...(this.machines.get(machine)?.byName.values() ?? [])].filter(({ status }) => status === 'RUNNING');
  }

  /** Newest first, from behind a place where an execution stands or stood. */
  async *list(machine: string, place?: Place): AsyncGenerator<Summary> {
    const after = place && { startTime: -place[0], serial: -place[1] };
    const recent = this.machines.get(machine)?.list() ?? [];
    let left = after ? countBefore(recent, after) : recent.length;
    for await (const archived of this.archive?.list(machine, after) ?? []) {
      let isInMemory = false;
      for (; left > 0 && !isBefore(recent[left - 1]!, archived); left -= 1) {
        yield summaryOf(recent[left - 1]!);
        // One that is being archived is in both.
        isInMemory = recent[left - 1]!.serial === archived.serial;
      }
      if (!isInMemory) yield archived;
    }
    for (; left > 0; left -= 1) yield summaryOf(recent[left - 1]!);
  }
}

/** Counts the entries of a list, in the order of their start, that began before another one. */
function countBefore(list: readonly Entry[], other: Pick<Entry, 'startTime' | 'serial'>): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle]!, other)) low = middle + 1;
    else high = middle;
  }
  return low;
}
