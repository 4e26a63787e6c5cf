import type { Outcome } from '../execution/execution';
import type { Entry } from './entry';
import { needsDispatch } from './redispatch';

/** The number of executions that stay computed while they only wait. */
const kept = 500;
/** An execution with more records than this stays computed: computing it again would take long. */
const cheapToRead = 100;

/**
 * Forgets what executions that only wait look like: they are computed again from the journal when something happens to
 * them. This is what lets 100,000 of them sleep in little memory.
 */
export class IdleExecutions {
  private readonly waiting = new Map<number, Entry>();
  private readonly ended: Entry[] = [];

  add(entry: Entry): void {
    if (entry.records > cheapToRead) return;
    this.waiting.delete(entry.serial);
    this.waiting.set(entry.serial, entry);
    if (this.waiting.size <= kept) return;
    const [oldest] = this.waiting.values();
    this.waiting.delete(oldest!.serial);
    if (oldest!.queue === undefined && oldest!.live && !needsDispatch(oldest!.live)) oldest!.live = undefined;
  }

  /** Keeps how an execution ended for those who ask soon. */
  end(entry: Entry, outcome: Outcome): void {
    this.waiting.delete(entry.serial);
    entry.outcome = outcome;
    this.ended.push(entry);
    if (this.ended.length <= 2 * kept) return;
    for (const old of this.ended.splice(0, kept)) old.outcome = undefined;
  }
}
