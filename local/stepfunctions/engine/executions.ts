import type { Clock } from '../../clock';
import { nextAlarm } from '../interpreter/alarms';
import { applies, apply, type Input, start } from '../interpreter/apply';
import type { Execution, Identity, Outcome } from '../interpreter/execution';
import type { HistoryEvent, HistorySink } from '../interpreter/history';
import type { Effect } from '../interpreter/transition';
import type { Program } from '../language/program';
import { drive } from '../language/steps';
import { parseResource } from '../states/task-resource';
import { type Entry, executionArn, makeEntry, type NewEntry, type QueuedInput } from './entry';
import { IdleExecutions } from './idle-executions';
import type { Journal } from './journal';
import type { Revision } from './machines';
import type { DecodedRecord } from './record';
import { isInFlight, needsDispatch } from './redispatch';
import { bodyOf, type ImageBody, imageOf, inputOf, readChain, type StartBody, startBodyOf } from './replay';

export type Dispatch = Extract<Effect, { kind: 'dispatch' }>;

/** What happens outside because of an execution; called once the transition behind it is on disk. */
export interface World {
  dispatch(entry: Entry, effect: Dispatch): void;
  cancel(entry: Entry, task: number): void;
  finished(entry: Entry): void;
}

export interface ExecutionsOptions {
  journal: Journal;
  clock: Clock;
  region: string;
  /** How long Wait states of new executions last, as a part of what they say. */
  waitScale?: number;
  world: World;
  log(line: string): void;
  program(revision: Revision): Program;
}

/** All executions of an engine: starts them, tells them what happens, wakes them, and reads them back. */
export class Executions {
  readonly bySerial = new Map<number, Entry>();
  private readonly idle = new IdleExecutions();
  lastSerial = 0;

  constructor(private readonly options: ExecutionsOptions) {}

  /** Starts an execution; `started` is called when it is on disk. */
  start(fields: NewEntry, body: StartBody, started: (entry: Entry) => void): Entry {
    this.lastSerial += 1;
    const entry = this.add({ ...fields, serial: this.lastSerial });
    entry.queue = [];
    const steps = start(this.options.program(entry.revision), this.identity(entry, body));
    soon(drive(steps), ({ execution, effects }) => {
      entry.live = execution;
      this.record(entry, 'start', JSON.stringify(body), effects, entry.startTime, () => started(entry));
      this.next(entry);
    });
    return entry;
  }

  private add(fields: NewEntry & { serial: number }): Entry {
    const entry = makeEntry(fields);
    this.bySerial.set(entry.serial, entry);
    return entry;
  }

  /** Tells an execution what has happened. `done` is called once that is on disk, with false where it came too late. */
  tell(entry: Entry, input: Input, done?: (applied: boolean) => void): void {
    if (entry.queue !== undefined) {
      entry.queue.push({ input, done });
      return;
    }
    entry.queue = [];
    this.take(entry, { input, done });
  }

  private take(entry: Entry, queued: QueuedInput): void {
    soon(this.computed(entry), (execution) => this.work(entry, execution, queued));
  }

  private work(entry: Entry, execution: Execution, { input, done }: QueuedInput): void {
    if (!applies(execution, input)) {
      if (done) this.options.journal.afterCommit(() => done(false));
      this.next(entry);
      return;
    }
    const time = Math.max(this.options.clock.now(), execution.time);
    soon(drive(apply(execution, input, time)), (effects) => {
      this.record(entry, input.kind, bodyOf(input), effects, time, done && (() => done(true)));
      this.next(entry);
    });
  }

  /** Goes on with what has queued up meanwhile. */
  private next(entry: Entry): void {
    const queued = entry.queue?.shift();
    if (queued === undefined) entry.queue = undefined;
    else this.take(entry, queued);
  }

  /** Journals a transition, and lets its effects out afterwards. */
  private record(
    entry: Entry,
    kind: Input['kind'] | 'start',
    body: string,
    effects: Effect[],
    time: number,
    done?: () => void,
  ): void {
    const { journal } = this.options;
    const execution = entry.live!;
    const inFlight = needsDispatch(execution);
    const wakeAt = nextAlarm(execution) ?? 0;
    const status = execution.outcome?.status ?? 'RUNNING';
    const lastEvent = execution.events.last;
    const position = journal.append({
      kind,
      serial: entry.serial,
      previous: entry.last,
      time,
      wakeAt,
      inFlight,
      status,
      lastEvent,
      body,
    });
    noteRecord(entry, kind, status, time, position);
    this.wakeAt(entry, wakeAt);
    if (effects.length > 0 || done !== undefined) {
      journal.afterCommit(() => {
        done?.();
        for (const effect of effects) this.release(entry, effect);
      });
    }
    if (execution.outcome === undefined) {
      if (!inFlight) this.idle.add(entry);
      return;
    }
    entry.live = undefined;
    this.idle.end(entry, execution.outcome);
  }

  private release(entry: Entry, effect: Effect): void {
    const { world } = this.options;
    if (effect.kind === 'dispatch') world.dispatch(entry, effect);
    else if (effect.kind === 'cancel') world.cancel(entry, effect.task);
    else world.finished(entry);
  }

  private wakeAt(entry: Entry, time: number): void {
    if (entry.wakeAt === time && (entry.alarm !== undefined || time === 0)) return;
    entry.alarm?.cancel();
    entry.wakeAt = time;
    entry.alarm = time === 0 ? undefined : this.options.clock.at(time, () => this.ring(entry));
  }

  private ring(entry: Entry): void {
    entry.alarm = undefined;
    this.tell(entry, { kind: 'alarm' });
  }

  // ---- reading back ----

  /** The execution as it stands; computed from its records where it is not in memory. */
  private computed(entry: Entry): Execution | Promise<Execution> {
    if (entry.live !== undefined) return entry.live;
    return this.options.journal.committed().then(async () => {
      entry.live = await this.replay(entry);
      return entry.live;
    });
  }

  private async replay(entry: Entry, history?: HistorySink): Promise<Execution> {
    const [[, , , first], ...rest] = readChain(this.options.journal, entry.last);
    const body = JSON.parse(first) as StartBody;
    const { execution } = await drive(start(this.options.program(entry.revision), this.identity(entry, body), history));
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

  /** The history as far as it is on disk. */
  async history(entry: Entry): Promise<{ events: HistoryEvent[]; execution: Execution }> {
    await this.options.journal.committed();
    const events: HistoryEvent[] = [];
    const execution = await this.replay(entry, (event) => events.push(event));
    return { events, execution };
  }

  /** What the execution was started with. */
  async startBody(entry: Entry): Promise<StartBody> {
    await this.options.journal.committed();
    return startBodyOf(this.options.journal.read(entry.first));
  }

  /** How it ended; undefined while it runs. */
  async outcome(entry: Entry): Promise<Outcome | undefined> {
    await this.options.journal.committed();
    return entry.status === 'RUNNING' ? undefined : (entry.outcome ?? (await this.replay(entry)).outcome);
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
      waitScale: body.waitScale,
    };
  }

  // ---- across restarts and compaction ----

  /** Writes all that is known of an execution into one new record, so that its old ones are needed no more. */
  rewrite(entry: Entry): void {
    const { journal } = this.options;
    const { kind: _, body: __, ...header } = journal.read(entry.last);
    entry.last = journal.append({ ...header, kind: 'image', previous: -1, body: imageOf(journal, entry) });
    entry.first = entry.last;
  }

  /** Takes note of an execution's record in an old journal. Undefined where the execution, or its definition, is not known. */
  restore(record: DecodedRecord, position: number, revision: FindRevision): Entry | undefined {
    const { kind, serial, status, time } = record;
    if (kind === 'image') return this.restoreImage(record, position, revision);
    if (kind === 'start') this.restoreStart(JSON.parse(record.body) as StartBody, serial, time, revision);
    const entry = this.bySerial.get(serial);
    if (entry === undefined) return undefined;
    noteRecord(entry, kind as Input['kind'] | 'start', status, time, position);
    entry.wakeAt = record.wakeAt;
    return entry;
  }

  private restoreStart(body: StartBody, serial: number, startTime: number, revision: FindRevision): Entry | undefined {
    const found = revision(body.revision);
    if (found === undefined) return undefined;
    const { name, startedBy, testCase, versionArn, aliasArn } = body;
    this.lastSerial = Math.max(this.lastSerial, serial);
    return this.add({ serial, name, revision: found, startTime, startedBy, testCase, versionArn, aliasArn });
  }

  private restoreImage(record: DecodedRecord, position: number, revision: FindRevision): Entry | undefined {
    const { told, happenings } = JSON.parse(record.body) as ImageBody;
    const [, time, , first] = happenings[0]!;
    const entry = this.restoreStart(JSON.parse(first) as StartBody, record.serial, time, revision);
    if (entry === undefined) return undefined;
    for (const [kind, when] of happenings) {
      // The status in between is of no interest; what a redrive undid has to be counted.
      noteRecord(entry, kind, 'RUNNING', when, position);
      if (kind === 'redrive') entry.toTell += 1;
    }
    if (record.status !== 'RUNNING') noteRecord(entry, 'alarm', record.status, record.time, position);
    entry.records = happenings.length;
    entry.told = told;
    entry.wakeAt = record.wakeAt;
    return entry;
  }

  /** Arms the alarms of what an old journal has left. */
  armAll(): void {
    for (const entry of this.bySerial.values()) {
      const time = entry.wakeAt;
      entry.wakeAt = 0;
      if (entry.status === 'RUNNING') this.wakeAt(entry, time);
    }
  }

  /** The tasks that an execution had under way when the engine before this one ended. */
  async interrupted(entry: Entry): Promise<Dispatch[]> {
    const execution = await this.computed(entry);
    const effects: Dispatch[] = [];
    for (const [task, { waiting, state }] of execution.tasks) {
      if (waiting?.kind !== 'task' || !isInFlight(waiting)) continue;
      const { request, submitted } = waiting;
      const resource = parseResource(request.resource)!;
      effects.push({ kind: 'dispatch', task, state: state.name, resource, request, submitted });
    }
    return effects;
  }
}

type FindRevision = (number: number) => Revision | undefined;

/** Goes on at once where nothing has to be waited for. A defect ends the process: an execution half-changed must not live on. */
function soon<T>(value: T | Promise<T>, then: (value: T) => void): void {
  if (value instanceof Promise) {
    value.then(then).catch((error: unknown) => {
      setImmediate(() => {
        throw error;
      });
    });
  } else then(value);
}

function noteRecord(
  entry: Entry,
  kind: Input['kind'] | 'start',
  status: Entry['status'],
  time: number,
  position: number,
): void {
  if (entry.first < 0) entry.first = position;
  entry.last = position;
  entry.records += 1;
  entry.status = status;
  entry.stopTime = status === 'RUNNING' ? undefined : time;
  if (kind === 'redrive') {
    entry.redrives = (entry.redrives ?? 0) + 1;
    entry.toTell += 1;
  }
  if (status !== 'RUNNING') entry.toTell += 1;
}
