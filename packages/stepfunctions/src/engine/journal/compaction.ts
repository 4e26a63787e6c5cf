import { type Archive, type Archived, summaryOf } from '../archive';
import type { Entry } from '../entry';
import type { Executions } from '../executions';
import type { FileJournal } from './journal';

export interface CompactionOptions {
  journal: FileJournal;
  archive: Archive;
  executions: Executions;
  /** Ended, told to whoever listens, and nothing under way that could revive it. */
  owesNothing(entry: Entry): boolean;
  /** Takes a finished execution, now archived, out of memory. */
  remove(entry: Entry): void;
  /** Archived executions that ended before this time are forgotten. */
  forgetBefore(): number;
  log(line: string): void;
  /** Writes the catalogue down again. */
  rewriteCatalogue(): void;
}

/** The number of whole segments that may precede the one being written. */
const keptSegments = 2;
/** The number of executions handled before others get a turn. */
const atATime = 50;
/** Milliseconds after which an attempt that has made no room is repeated. */
const pause = 10_000;

/**
 * Keeps the journal short: what lives on of its oldest segment is written again at its end, finished executions move to the
 * archive, and the segment goes. Each step is on disk before the next one, so that it can be killed anywhere.
 */
export class Compaction {
  private running: Promise<void> | undefined;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: CompactionOptions) {}

  /** Begins, where there is something to do. */
  check(): void {
    clearTimeout(this.timer);
    if (this.running !== undefined || this.stopped || this.options.journal.segments.length <= keptSegments + 1) return;
    const { journal, log } = this.options;
    const before = journal.segments[0];
    this.running = this.run()
      .catch((error: Error) => {
        // Nothing is lost by it: the journal only grows.
        log(`journal: not compacted: ${error.message}`);
      })
      .finally(() => {
        this.running = undefined;
        // Where that has made room there may be more; otherwise something has to end, or to be repaired, first.
        if (journal.segments[0] !== before) this.check();
        else this.later();
      });
  }

  private later(): void {
    if (!this.stopped) this.timer = setTimeout(() => this.check(), pause).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    const { journal, executions, owesNothing, rewriteCatalogue } = this.options;
    const end = journal.segments[0]!.end;
    const old = [...executions.bySerial.values()].filter(({ first }) => first < end);
    // What executions refer to comes before them, or the next engine could not read the journal.
    rewriteCatalogue();
    for (let i = 0; i < old.length && !this.stopped; i += atATime) {
      const some = old.slice(i, i + atATime);
      await this.archive(some.filter(owesNothing));
      await journal.committed();
      for (const entry of some) {
        // What has moved on meanwhile, or is about to, is met again next time.
        if (!owesNothing(entry) && entry.queue === undefined && journal.isCommitted(entry.last))
          executions.rewrite(entry);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.stopped) return;
    await this.options.archive.forget(this.options.forgetBefore());
    await journal.committed();
    // Whoever began or ended meanwhile lies in later segments; whoever was busy is met again next time.
    if ([...executions.bySerial.values()].every(({ first }) => first >= end)) journal.dropBefore(end);
  }

  private async archive(entries: Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const { archive, executions, remove } = this.options;
    const finished: Archived[] = [];
    for (const entry of entries) finished.push(await archived(executions, entry));
    await archive.put(finished);
    for (const entry of entries) if (this.options.owesNothing(entry)) remove(entry);
  }
}

async function archived(executions: Executions, entry: Entry): Promise<Archived> {
  const { events, execution } = await executions.reader.history(entry);
  const { input, seed } = await executions.reader.startBody(entry);
  return { summary: summaryOf(entry), input, seed, outcome: execution.outcome!, events };
}
