import { randomUUID } from 'node:crypto';
import type { Outcome } from '../execution/execution';
import type { Entry } from './entry';
import { Executions, type ExecutionsOptions } from './executions';
import { memoryJournal } from './journal/memory-journal';
import type { Revision } from './machines';
import type { StartBody } from './replay';

/** Express executions: run like the others, in memory, and are forgotten when they have ended. */
export class ExpressExecutions {
  readonly executions: Executions;
  private readonly journal = memoryJournal();
  private readonly endings = new Map<number, (outcome: Outcome) => void>();

  constructor(options: Omit<ExecutionsOptions, 'journal'>) {
    this.executions = new Executions({ ...options, journal: this.journal });
    // Their numbers must not meet those of the others.
    this.executions.lastSerial = 2 ** 40;
  }

  /** `ended` resolves with how it ended, and rejects where there was no beginning. */
  start(revision: Revision, startTime: number, body: StartBody): { entry: Entry; ended: Promise<Outcome> } {
    let resolve: (outcome: Outcome) => void;
    let reject: (defect: Error) => void;
    const ended = new Promise<Outcome>((...settle) => {
      [resolve, reject] = settle;
    });
    const fields = { name: body.name, revision, startTime, expressId: randomUUID() };
    const entry = this.executions.start(fields, body, () => undefined, reject!);
    if (entry.outcome !== undefined) this.forget(entry, resolve!);
    else this.endings.set(entry.serial, resolve!);
    return { entry, ended };
  }

  /** Is told when one has ended. */
  finished(entry: Entry): void {
    const tell = this.endings.get(entry.serial);
    this.endings.delete(entry.serial);
    if (tell) this.forget(entry, tell);
  }

  private forget(entry: Entry, tell: (outcome: Outcome) => void): void {
    tell(entry.outcome!);
    this.executions.bySerial.delete(entry.serial);
    this.journal.forget(entry.last);
  }
}
