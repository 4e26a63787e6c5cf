import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock';
import type { Outcome } from '../execution/execution';
import type { Dispatch } from '../execution/transition';
import { errorNames } from '../language/errors';
import { ActivityQueues } from './activities';
import { Archive } from './archive';
import { Catalogue } from './catalogue';
import { Deletions } from './deletions';
import { Dispatcher } from './dispatcher';
import type { EngineOptions } from './engine-options';
import type { Entry } from './entry';
import { Executions } from './executions';
import { ExpressExecutions } from './express';
import { Compaction } from './journal/compaction';
import { type FileJournal, type Journal, openJournal } from './journal/journal';
import { memoryJournal } from './journal/memory-journal';
import { type CatalogueEntry, programs, type Revision } from './machines';
import { ExecutionNames, type Place } from './names';
import { Recovery } from './recovery';
import type { StartBody } from './replay';
import { StatusEvents } from './status-events';
import { archivedView, type ExecutionView, viewOf } from './view';

/** The parts of an engine, put together. */
export class Engine {
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly queues = new ActivityQueues();
  readonly executions: Executions;
  private readonly express: ExpressExecutions;
  readonly program = programs();
  readonly archive: Archive | undefined;
  private readonly names: ExecutionNames;
  readonly deletions: Deletions;
  private readonly endings = new Map<number, (() => void)[]>();
  private readonly journal: Journal;
  private readonly dispatcher: Dispatcher;
  private readonly statusEvents: StatusEvents | undefined;
  private readonly compaction: Compaction | undefined;
  private readonly recovery: Recovery;

  constructor(readonly options: EngineOptions) {
    const { directory, clock, region, segmentSize, onStatusChange, passing, log } = options;
    this.clock = clock;
    this.catalogue = new Catalogue((entry) => this.append('catalogue', 0, JSON.stringify(entry)));
    const file = directory === undefined ? undefined : openJournal({ folder: directory, log, segmentSize, passing });
    this.journal = file ?? memoryJournal();
    this.archive = directory === undefined ? undefined : new Archive(directory);
    this.names = new ExecutionNames(this.archive);
    this.deletions = new Deletions(this.catalogue, this.names);
    const world = {
      dispatch: (entry: Entry, effect: Dispatch) => this.dispatcher.dispatch(entry, effect),
      cancel: (entry: Entry, task: number) => this.dispatcher.cancel(entry, task),
      finished: (entry: Entry) => this.finished(entry),
    };
    const deleted = ({ revision }: Entry) => this.catalogue.isDeleted(revision);
    const shared = { clock, region, world, deleted, program: this.program, log };
    this.executions = new Executions({ ...shared, journal: this.journal });
    this.express = new ExpressExecutions(shared);
    this.dispatcher = new Dispatcher({
      integration: (resource) => options.integration(this, resource),
      mocks: options.mocks,
      authorize: (call) => options.authorize(call),
      tell: (entry, input) => (isExpress(entry) ? this.express.executions : this.executions).tell(entry, input),
      scheduleActivity: (entry, effect) => this.scheduleActivity(entry, effect),
    });
    const remember = (entry: Entry) => this.append('delivered', entry.serial, String(entry.told));
    this.statusEvents =
      onStatusChange && new StatusEvents({ reader: this.executions.reader, listen: onStatusChange, remember });
    this.compaction = file && this.compactionOf(file);
    this.recovery = new Recovery(this.executions, this.catalogue, this.names);
    this.recovery.read(this.journal);
  }

  private compactionOf(journal: FileJournal): Compaction {
    return new Compaction({
      journal,
      log: this.options.log,
      archive: this.archive!,
      executions: this.executions,
      owesNothing: (entry) =>
        entry.status !== 'RUNNING' && entry.queue === undefined && (!this.statusEvents || entry.told >= entry.toTell),
      remove: (entry) => {
        this.names.remove(entry);
        this.executions.bySerial.delete(entry.serial);
      },
      rewriteCatalogue: () => {
        this.append(
          'catalogue',
          0,
          JSON.stringify({ key: 'serial', value: this.executions.lastSerial } satisfies CatalogueEntry),
        );
        for (const entry of this.catalogue.entries()) this.append('catalogue', 0, JSON.stringify(entry));
      },
      forgetBefore: () => this.clock.now() - this.options.retention,
    });
  }

  private scheduleActivity(entry: Entry, effect: Dispatch): void {
    const { arn } = effect.resource;
    const { task } = effect;
    if (this.catalogue.activities.has(arn)) {
      this.executions.tell(entry, { kind: 'scheduled', task }, () => this.queues.schedule(entry, effect));
      return;
    }
    const cause = `The activity ${arn} does not exist.`;
    this.executions.tell(entry, { kind: 'failed', task, error: errorNames.runtime, cause });
  }

  /** Takes up what the last engine on this folder left: alarms, tasks in flight, untold status events. */
  resume(): void {
    this.deletions.resume();
    this.executions.armAll();
    if (this.statusEvents) {
      for (const entry of this.executions.bySerial.values()) this.statusEvents.deliver(entry);
    }
    this.executions.takeUp(this.recovery.interrupted);
    this.compaction?.check();
  }

  async stop(): Promise<void> {
    this.dispatcher.stop();
    this.statusEvents?.stop();
    this.queues.stop();
    for (const entry of this.executions.bySerial.values()) entry.alarm?.cancel();
    await this.compaction?.stop();
    await this.journal.close();
    await this.archive?.close();
  }

  /** See `StepFunctions`. */
  isIdle(): boolean {
    const { executions, express, dispatcher, statusEvents } = this;
    return executions.isIdle() && express.executions.isIdle() && dispatcher.calling === 0 && !statusEvents?.busy.size;
  }

  /** Everything up to now is on disk. */
  committed(): Promise<void> {
    return this.journal.committed();
  }

  /** Rejects when the disk takes nothing while the work is under way: whether it counts, a later look tells. */
  unlessFailing<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let failed = false;
      const stop = this.journal.onFailure((failure) => {
        failed = true;
        reject(failure);
      });
      if (!failed) void work().then(resolve, reject).finally(stop);
    });
  }

  /** An execution in memory: every one that runs, and those that ended of late. */
  byArn(arn: string): Entry | undefined {
    const [machine, name] = arn.split(':').slice(6);
    if (machine === undefined || name === undefined) return undefined;
    for (const identity of this.catalogue.identities(machine)) {
      const entry = this.names.find(identity, name);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /** An execution wherever it lies; undefined for one that does not exist, or does no more. */
  async look(arn: string): Promise<ExecutionView | undefined> {
    const [machine, name] = arn.split(':').slice(6);
    if (machine === undefined || name === undefined) return undefined;
    // Of state machines that have had one name, the newest comes first.
    for (const identity of this.catalogue.identities(machine)) {
      const entry = this.names.find(identity, name);
      if (entry !== undefined) return viewOf(this.executions.reader, entry, this.archive);
      const archived = await this.archive?.get(identity, name);
      if (archived !== undefined) return archivedView(archived);
    }
    return undefined;
  }

  /** The executions of a state machine, by its identity, newest first, behind a place among them. */
  list(machine: string, after?: Place) {
    return this.names.list(machine, after);
  }

  find(machine: string, name: string): Entry | undefined {
    return this.names.find(machine, name);
  }

  /** Starts an execution whose name is free. Resolves when that is on disk. */
  start(
    revision: Revision,
    name: string,
    input: string,
    extra: Pick<Entry, 'startedBy' | 'testCase' | 'versionArn' | 'aliasArn'>,
  ): Promise<Entry> {
    const body: StartBody = {
      name,
      revision: revision.number,
      input,
      seed: seed(),
      waitScale: this.options.waitScale,
      ...extra,
    };
    return new Promise((resolve, reject) => {
      const fields = { name, revision, startTime: this.clock.now(), ...extra };
      const entry = this.executions.start(
        fields,
        body,
        (started) => {
          this.statusEvents?.deliver(started);
          resolve(started);
        },
        (defect) => {
          this.names.remove(entry);
          this.deletions.ended(entry);
          reject(defect);
        },
      );
      this.names.add(entry);
    });
  }

  /** Starts an Express execution. `ended` resolves with how it ended. */
  startExpress(revision: Revision, name: string, input: string): { entry: Entry; ended: Promise<Outcome> } {
    const body: StartBody = { name, revision: revision.number, input, seed: seed(), waitScale: this.options.waitScale };
    return this.express.start(revision, this.clock.now(), body);
  }

  /** Resolves when the execution has ended. */
  ended(entry: Entry): Promise<void> {
    if (entry.status !== 'RUNNING') return this.committed();
    return new Promise((resolve) => {
      const waiting = this.endings.get(entry.serial);
      if (waiting) waiting.push(resolve);
      else this.endings.set(entry.serial, [resolve]);
    });
  }

  private finished(entry: Entry): void {
    if (isExpress(entry)) {
      this.express.finished(entry);
      return;
    }
    this.deletions.ended(entry);
    this.statusEvents?.deliver(entry);
    const waiting = this.endings.get(entry.serial);
    this.endings.delete(entry.serial);
    for (const tell of waiting ?? []) tell();
    this.compaction?.check();
  }

  private append(kind: 'catalogue' | 'delivered', serial: number, body: string): void {
    const time = this.clock.now();
    this.journal.append({
      kind,
      serial,
      previous: -1,
      time,
      wakeAt: 0,
      inFlight: false,
      status: 'RUNNING',
      lastEvent: 0,
      body,
    });
  }
}

const isExpress = ({ revision }: Entry) => revision.type === 'EXPRESS';

/** 128 random bits: what tokens and identifiers of one execution derive from. */
const seed = () => randomBytes(16).toString('base64url');
