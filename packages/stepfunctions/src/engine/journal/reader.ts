import type { Execution, Identity, Outcome } from '../../execution/execution';
import type { HistoryEvent, HistorySink } from '../../execution/history';
import type { Program } from '../../execution/program';
import type { Effect } from '../../execution/transition';
import { apply, start } from '../../interpreter/apply';
import { drive } from '../../language/steps';
import { type Entry, executionArn } from '../entry';
import type { Revision } from '../machines';
import { inputOf, readChain, type StartBody, startAgain, startBodyOf } from '../replay';
import type { Journal } from './journal';

export interface ReaderOptions {
  journal: Journal;
  region: string;
  program(revision: Revision): Program;
  /** Whether the execution is still in memory; one that has been archived has no records any more. */
  knows(entry: Entry): boolean;
  log(line: string): void;
}

export interface ReadHistory {
  readonly events: readonly HistoryEvent[];
  readonly execution: Execution;
}

export interface Begun {
  execution: Execution;
  effects: Effect[];
}

/** The execution has gone to the archive while it was being asked for. */
export class EntryGone extends Error {
  override readonly name = 'EntryGone';
}

/** Computes executions from what the journal has of them: their state, their history, their end. */
export class ExecutionReader {
  private latest: { entry: Entry; last: number; history: ReadHistory } | undefined;

  constructor(private readonly options: ReaderOptions) {}

  /** The execution at its start. */
  begin(entry: Entry, body: StartBody, history?: HistorySink) {
    return drive<Begun>(start(this.options.program(entry.revision), this.identity(entry, body), history));
  }

  /** The execution as it stands, or as it stood after an earlier record. */
  async replay(entry: Entry, last = entry.last, history?: HistorySink): Promise<Execution> {
    const [[, , , first], ...rest] = readChain(this.options.journal, last);
    const { execution } = await this.begin(entry, startAgain(first), history);
    for (const [kind, time, lastEvent, text] of rest) {
      const effects = drive(apply(execution, inputOf(kind, text), time, history));
      if (effects instanceof Promise) await effects;
      if (execution.events.last === lastEvent) continue;
      // An engine that decides differently from the one that wrote the journal goes on as well as it can.
      this.options.log(
        `${executionArn(entry)} was journaled by another version of this engine: its history may differ`,
      );
      execution.events.last = Math.max(execution.events.last, lastEvent);
    }
    return execution;
  }

  /** The history as far as it is on disk. The last one that was asked for is kept: a long one is read page by page. */
  async history(entry: Entry): Promise<ReadHistory> {
    let last: number;
    // It is rewritten from time to time, perhaps since it was looked at: nothing of it is on disk until the new record is.
    do {
      await this.settled(entry);
      last = this.onDisk(entry);
    } while (last < 0);
    if (this.latest?.entry === entry && this.latest.last === last) return this.latest.history;
    const events: HistoryEvent[] = [];
    const execution = await this.replay(entry, last, (event) => events.push(event));
    this.latest = { entry, last, history: { events, execution } };
    return this.latest.history;
  }

  /** The history of a distributed map's child execution, which is part of its parent's. */
  async childHistory(entry: Entry, child: string): Promise<HistoryEvent[]> {
    await this.settled(entry);
    const events: HistoryEvent[] = [];
    const sink: HistorySink = Object.assign((event: HistoryEvent) => void events.push(event), { child });
    await this.replay(entry, this.onDisk(entry), sink);
    return events;
  }

  /** Returns the data that the execution was started with. */
  async startBody(entry: Entry): Promise<StartBody> {
    await this.settled(entry);
    return startBodyOf(this.options.journal.read(entry.first));
  }

  /** Returns the execution's outcome; undefined while it runs. */
  async outcome(entry: Entry): Promise<Outcome | undefined> {
    await this.settled(entry);
    return entry.status === 'RUNNING' ? undefined : (entry.outcome ?? (await this.replay(entry)).outcome);
  }

  /** The position of the execution's last record that is on disk, -1 for none: what is not may still not have happened. */
  private onDisk(entry: Entry): number {
    const { journal } = this.options;
    let position = entry.last;
    while (!journal.isCommitted(position)) position = journal.read(position).previous;
    return position;
  }

  /** Waits until the execution can be read: what is read next, before any other wait, is there. Throws EntryGone. */
  private async settled(entry: Entry): Promise<void> {
    const { journal, knows } = this.options;
    for (;;) {
      await journal.committed();
      if (!knows(entry)) throw new EntryGone();
      // It has a name before it has a record, and its first record may be on its way.
      if (entry.first >= 0 && journal.isCommitted(entry.first)) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private identity(entry: Entry, body: StartBody): Identity {
    const { serial, name, revision, versionArn, aliasArn, startTime } = entry;
    return {
      serial,
      arn: executionArn(entry),
      name,
      stateMachineArn: revision.stateMachineArn,
      stateMachineName: revision.name,
      versionArn,
      aliasArn,
      roleArn: revision.roleArn,
      region: this.options.region,
      input: body.input,
      startTime,
      seed: body.seed,
      stopped: body.stopped,
      waitScale: body.waitScale,
      express: revision.type === 'EXPRESS',
    };
  }
}
