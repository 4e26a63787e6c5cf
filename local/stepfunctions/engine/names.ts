import { type Archive, type Summary, summaryOf } from './archive';
import type { Entry } from './entry';

/** Executions by name, those in memory and, where one looks further, those in the archive. */
export class ExecutionNames {
  /** By the state machine's name, then by the execution's, in the order of their start. */
  private readonly entries = new Map<string, Map<string, Entry>>();

  constructor(private readonly archive: Archive | undefined) {}

  add(entry: Entry): void {
    const { name } = entry.revision;
    const siblings = this.entries.get(name);
    if (siblings) siblings.set(entry.name, entry);
    else this.entries.set(name, new Map([[entry.name, entry]]));
  }

  remove(entry: Entry): void {
    const siblings = this.entries.get(entry.revision.name);
    if (siblings?.get(entry.name) === entry) siblings.delete(entry.name);
  }

  find(machine: string, name: string): Entry | undefined {
    return this.entries.get(machine)?.get(name);
  }

  /** Newest first. What is archived began, but for long runs, before what is not. */
  async *list(machine: string): AsyncGenerator<Summary> {
    const recent = [...(this.entries.get(machine)?.values() ?? [])].sort(
      (a, b) => b.startTime - a.startTime || b.serial - a.serial,
    );
    const seen = new Set(recent.map(({ serial }) => serial));
    let next = 0;
    for await (const archived of this.archive?.list(machine) ?? []) {
      if (seen.has(archived.serial)) continue;
      for (; next < recent.length && recent[next]!.startTime >= archived.startTime; next += 1)
        yield summaryOf(recent[next]!);
      yield archived;
    }
    for (; next < recent.length; next += 1) yield summaryOf(recent[next]!);
  }
}
