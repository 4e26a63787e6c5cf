import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock';
import type { Integration, TaskCall } from '../integrations/integration';
import type { Effect } from '../interpreter/transition';
import type { Json } from '../language/json';
import type { TaskResource } from '../states/task-resource';
import { type Activity, ActivityQueues } from './activities';
import { Dispatcher } from './dispatcher';
import { type Entry, executionArn } from './entry';
import { Executions } from './executions';
import { type Journal, openJournal } from './journal';
import { type CatalogueEntry, programs, type Revision, type StateMachine } from './machines';
import { memoryJournal } from './memory-journal';
import type { DecodedRecord } from './record';
import type { StartBody } from './replay';
import { type ExecutionStatusChange, StatusEvents } from './status-events';

export interface EngineOptions {
  directory?: string;
  clock: Clock;
  accountId: string;
  region: string;
  integration(engine: Engine, resource: TaskResource, entry: Entry): Integration | undefined;
  authorize(call: TaskCall): void;
  onStatusChange?: (event: ExecutionStatusChange) => Promise<void>;
  log(line: string): void;
}

/** The parts of an engine, put together; and its catalogue: state machines, activities, the names of executions. */
export class Engine {
  readonly machines = new Map<string, StateMachine>();
  readonly activities = new Map<string, Activity>();
  readonly queues = new ActivityQueues();
  readonly executions: Executions;
  readonly program = programs();
  readonly clock: Clock;
  private readonly revisions = new Map<number, Revision>();
  /** By the state machine's name, then by the execution's. */
  private readonly names = new Map<string, Map<string, Entry>>();
  private readonly endings = new Map<number, (() => void)[]>();
  private readonly journal: Journal;
  private readonly dispatcher: Dispatcher;
  private readonly statusEvents: StatusEvents | undefined;
  private readonly interrupted = new Set<Entry>();
  private lastRevision = 0;

  constructor(readonly options: EngineOptions) {
    this.clock = options.clock;
    const world = {
      dispatch: (entry: Entry, effect: Extract<Effect, { kind: 'dispatch' }>) =>
        this.dispatcher.dispatch(entry, effect),
      cancel: (entry: Entry, task: number) => this.dispatcher.cancel(entry, task),
      finished: (entry: Entry) => this.finished(entry),
    };
    const { directory, log } = options;
    const replayed: [DecodedRecord, number][] = [];
    this.journal =
      directory === undefined
        ? memoryJournal()
        : openJournal(directory, (record, position) => replayed.push([record, position]), log);
    this.executions = new Executions({
      journal: this.journal,
      clock: this.clock,
      region: options.region,
      world,
      program: this.program,
    });
    this.dispatcher = new Dispatcher({
      integration: (resource, entry) => options.integration(this, resource, entry),
      authorize: (call) => options.authorize(call),
      tell: (entry, input) => this.executions.tell(entry, input),
      scheduleActivity: (entry, effect) => this.queues.schedule(entry, effect),
    });
    this.statusEvents =
      options.onStatusChange &&
      new StatusEvents({
        clock: this.clock,
        executions: this.executions,
        listen: options.onStatusChange,
        remember: (entry) => this.append('delivered', entry.serial, String(entry.told)),
      });
    for (const [record, position] of replayed) this.restore(record, position);
  }

  /** Takes up what the last engine on this folder left: alarms, tasks in flight, untold status events. */
  async resume(): Promise<void> {
    for (const entry of this.executions.bySerial.values()) {
      if (entry.status === 'RUNNING' && entry.wakeAt > 0) {
        const time = entry.wakeAt;
        entry.wakeAt = 0;
        this.executions.wakeAt(entry, time);
      }
      if (entry.told < entry.toTell) this.statusEvents?.deliver(entry);
    }
    const interrupted = [...this.interrupted];
    this.interrupted.clear();
    for (const entry of interrupted) {
      for (const effect of await this.executions.resume(entry))
        if (effect.kind === 'dispatch') this.dispatcher.dispatch(entry, effect);
    }
  }

  async stop(): Promise<void> {
    this.dispatcher.stop();
    this.statusEvents?.stop();
    this.queues.stop();
    for (const entry of this.executions.bySerial.values()) entry.alarm?.cancel();
    await this.journal.close();
  }

  committed(): Promise<void> {
    return this.journal.committed();
  }

  // ---- the catalogue ----

  addRevision(fields: Omit<Revision, 'number'>): Revision {
    this.lastRevision += 1;
    const revision: Revision = { ...fields, number: this.lastRevision };
    this.revisions.set(revision.number, revision);
    this.put(`revision/${revision.number}`, revision as unknown as Json);
    return revision;
  }

  saveMachine(machine: StateMachine): void {
    this.machines.set(machine.arn, machine);
    const { current, versions, ...rest } = machine;
    this.put(`machine/${machine.arn}`, {
      ...rest,
      current: current.number,
      versions: versions.map(({ revision, ...version }) => ({ ...version, revision: revision.number })),
    });
  }

  removeMachine(arn: string): void {
    this.machines.delete(arn);
    this.put(`machine/${arn}`);
  }

  saveActivity(activity: Activity): void {
    this.activities.set(activity.arn, activity);
    this.put(`activity/${activity.arn}`, activity as unknown as Json);
  }

  removeActivity(arn: string): void {
    this.activities.delete(arn);
    this.put(`activity/${arn}`);
  }

  // ---- executions ----

  find(machineName: string, name: string): Entry | undefined {
    return this.names.get(machineName)?.get(name);
  }

  /** All executions of a state machine's name, oldest first. */
  executionsOf(machineName: string): Entry[] {
    return [...(this.names.get(machineName)?.values() ?? [])];
  }

  /** The execution of an ARN; undefined for an unknown one. */
  byArn(arn: string): Entry | undefined {
    const [machineName, name] = arn.split(':').slice(6);
    return machineName === undefined || name === undefined ? undefined : this.find(machineName, name);
  }

  start(
    revision: Revision,
    name: string,
    input: string,
    extra: Pick<Entry, 'startedBy' | 'versionArn' | 'aliasArn'> = {},
  ): Promise<Entry> {
    const body: StartBody = {
      name,
      revision: revision.number,
      input,
      seed: randomBytes(16).toString('base64url'),
      ...extra,
    };
    return new Promise((resolve) => {
      const entry = this.executions.start(
        { name, revision, startTime: this.clock.now(), ...extra },
        body,
        (started) => {
          this.statusEvents?.deliver(started);
          resolve(started);
        },
      );
      this.index(entry);
    });
  }

  /** Resolves when the execution has ended. */
  ended(entry: Entry): Promise<void> {
    if (entry.status !== 'RUNNING') return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.endings.get(entry.serial);
      if (waiting) waiting.push(resolve);
      else this.endings.set(entry.serial, [resolve]);
    });
  }

  private finished(entry: Entry): void {
    this.statusEvents?.deliver(entry);
    const waiting = this.endings.get(entry.serial);
    this.endings.delete(entry.serial);
    for (const tell of waiting ?? []) tell();
  }

  private index(entry: Entry): void {
    const { name } = entry.revision;
    const siblings = this.names.get(name);
    if (siblings) siblings.set(entry.name, entry);
    else this.names.set(name, new Map([[entry.name, entry]]));
  }

  private put(key: string, value?: Json): void {
    this.append('catalogue', 0, JSON.stringify({ key, value } satisfies CatalogueEntry));
  }

  private append(kind: 'catalogue' | 'delivered', serial: number, body: string): void {
    this.journal.append({
      kind,
      serial,
      previous: -1,
      time: this.clock.now(),
      wakeAt: 0,
      inFlight: false,
      status: 'RUNNING',
      lastEvent: 0,
      body,
    });
  }

  // ---- after a restart ----

  private restore(record: DecodedRecord, position: number): void {
    if (record.kind === 'catalogue') this.restoreCatalogue(JSON.parse(record.body) as CatalogueEntry);
    else if (record.kind === 'start') this.restoreStart(record, position);
    else this.restoreLater(record, position);
  }

  private restoreLater(record: DecodedRecord, position: number): void {
    const entry = this.executions.bySerial.get(record.serial);
    if (entry === undefined) return;
    if (record.kind === 'delivered') {
      entry.told = Number(record.body);
      return;
    }
    this.restoreState(entry, record, position);
    if (record.kind === 'redrive') {
      entry.toTell += 1;
      entry.redrives = (entry.redrives ?? 0) + 1;
    }
  }

  private restoreStart(record: DecodedRecord, position: number): void {
    const { name, revision, startedBy, versionArn, aliasArn } = JSON.parse(record.body) as StartBody;
    const found = this.revisions.get(revision);
    if (found === undefined) throw new Error(`The journal has no definition for execution ${name}`);
    const entry: Entry = {
      serial: record.serial,
      name,
      revision: found,
      startTime: record.time,
      status: 'RUNNING',
      last: position,
      wakeAt: 0,
      records: 0,
      toTell: 1,
      told: 0,
      startedBy,
      versionArn,
      aliasArn,
    };
    this.executions.bySerial.set(entry.serial, entry);
    this.executions.lastSerial = Math.max(this.executions.lastSerial, entry.serial);
    this.index(entry);
    this.restoreState(entry, record, position);
  }

  private restoreState(entry: Entry, record: DecodedRecord, position: number): void {
    entry.last = position;
    entry.records += 1;
    entry.wakeAt = record.wakeAt;
    entry.status = record.status;
    entry.stopTime = record.status === 'RUNNING' ? undefined : record.time;
    if (record.status !== 'RUNNING') entry.toTell += 1;
    if (record.inFlight) this.interrupted.add(entry);
    else this.interrupted.delete(entry);
  }

  private restoreCatalogue({ key, value }: CatalogueEntry): void {
    const id = key.slice(key.indexOf('/') + 1);
    if (key.startsWith('revision/')) {
      const revision = value as unknown as Revision;
      this.revisions.set(revision.number, revision);
      this.lastRevision = Math.max(this.lastRevision, revision.number);
    } else if (key.startsWith('machine/')) {
      if (value === undefined) this.machines.delete(id);
      else this.machines.set(id, this.restoreMachine(value as unknown as StoredMachine));
    } else if (value === undefined) this.activities.delete(id);
    else this.activities.set(id, value as unknown as Activity);
  }

  private restoreMachine({ current, versions, ...rest }: StoredMachine): StateMachine {
    const revision = (number: number) => this.revisions.get(number)!;
    return {
      ...rest,
      current: revision(current),
      versions: versions.map((version) => ({ ...version, revision: revision(version.revision) })),
    };
  }
}

type StoredMachine = Omit<StateMachine, 'current' | 'versions'> & {
  current: number;
  versions: { number: number; description?: string; revision: number; creationDate: number }[];
};

export { executionArn };
