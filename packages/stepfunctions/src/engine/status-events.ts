import type { Outcome, Status } from '../execution/execution';
import { type Entry, executionArn } from './entry';
import type { ExecutionReader } from './journal/reader';

/** The event `Step Functions Execution Status Change` of source `aws.states`: its time, and its `detail` as on AWS. */
export interface ExecutionStatusChange {
  /** Milliseconds since the epoch. */
  time: number;
  detail: {
    executionArn: string;
    stateMachineArn: string;
    name: string;
    status: Status;
    /** Milliseconds since the epoch. */
    startDate: number;
    stopDate: number | null;
    /** JSON text. */
    input: string;
    output: string | null;
    error?: string;
    cause?: string;
    inputDetails: { included: boolean };
    outputDetails: { included: boolean } | null;
  };
}

const firstDelay = 100;
const longestDelay = 30_000;

/**
 * Tells a listener about each execution's start and end, in this order, at least once: what it has not taken is told again
 * after a back-off, and after a restart.
 */
export class StatusEvents {
  private stopped = false;
  readonly busy = new Set<number>();

  constructor(
    private readonly options: {
      reader: ExecutionReader;
      listen: (event: ExecutionStatusChange) => Promise<void>;
      /** Remembers how many of the execution's events have been taken. */
      remember(entry: Entry): void;
    },
  ) {}

  /** Delivers whatever the execution still owes. */
  deliver(entry: Entry): void {
    if (entry.told >= entry.toTell || this.busy.has(entry.serial) || this.stopped) return;
    this.busy.add(entry.serial);
    void this.run(entry).finally(() => this.busy.delete(entry.serial));
  }

  private async run(entry: Entry): Promise<void> {
    let delay = firstDelay;
    while (entry.told < entry.toTell && !this.stopped) {
      try {
        await this.options.listen(await this.describe(entry, entry.told === entry.toTell - 1));
        // The journal is closed: the next engine tells it again.
        if (this.stopped) return;
        entry.told += 1;
        this.options.remember(entry);
        delay = firstDelay;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, delay).unref());
        delay = Math.min(delay * 2, longestDelay);
      }
    }
  }

  /** The last event owed says how the execution stands; one before it, that it had started. */
  private async describe(entry: Entry, last: boolean): Promise<ExecutionStatusChange> {
    const { reader } = this.options;
    const { input } = await reader.startBody(entry);
    const outcome: Outcome | undefined = last ? await reader.outcome(entry) : undefined;
    return {
      time: outcome?.time ?? entry.startTime,
      detail: {
        executionArn: executionArn(entry),
        stateMachineArn: entry.revision.stateMachineArn,
        name: entry.name,
        status: outcome?.status ?? 'RUNNING',
        startDate: entry.startTime,
        stopDate: outcome?.time ?? null,
        input,
        output: outcome?.output ?? null,
        ...(outcome?.error !== undefined && { error: outcome.error }),
        ...(outcome?.cause !== undefined && { cause: outcome.cause }),
        inputDetails: { included: true },
        outputDetails: outcome?.output === undefined ? null : { included: true },
      },
    };
  }

  stop(): void {
    this.stopped = true;
  }
}
