import type { Clock } from '../../clock';
import { nextAlarm } from '../interpreter/alarms';
import { applies, apply, type Input, start } from '../interpreter/apply';
import type { Execution, Identity, Outcome } from '../interpreter/execution';
import type { HistoryEvent, HistorySink } from '../interpreter/history';
import type { Effect } from '../interpreter/transition';
import type { Program } from '../language/program';
import { drive } from '../language/steps';
import { parseResource } from '../states/task-resource';
import { type Entry, executionArn } from './entry';
import type { Journal } from './journal';
import type { Revision } from './machines';
import { isInFlight, needsDispatch } from './redispatch';
import { readChain, type StartBody } from './replay';

/** What happens outside because of an execution; called once the transition behind it is on disk. */
export interface World {
  dispatch(entry: Entry, effect: Extract<Effect, { kind: 'dispatch' }>): void;
  cancel(entry: Entry, task: number): void;
  finished(entry: Entry, outcome: Outcome): void;
}

export interface ExecutionsOptions {
  journal: Journal;
  clock: Clock;
  region: string;
  world: World;
  program(revision: Revision): Program;
}

/** How many executions that only wait are kept computed; the others are computed again from the journal when something happens. */
const keptIdle = 5_000;
/** An execution with more records than this stays computed: reading it again would take long. */
const cheapToRead = 100;

/** All executions of an engine: starts them, tells them what happens, wakes them, and reads them back. */
export class Executions {
  readonly bySerial = new Map<number, Entry>();
  private readonly idle = new Map<number, Entry>();
  lastSerial = 0;

  constructor(private readonly options: ExecutionsOptions) {}

  /** Starts an execution; `started` is called when it is on disk. */
  start(
    entry: Omit<Entry, 'serial' | 'status' | 'last' | 'wakeAt' | 'records' | 'toTell' | 'told'>,
    body: StartBody,
    started: (entry: Entry) => void,
  ): Entry {
    this.lastSerial += 1;
    const made: Entry = {
      ...entry,
      serial: this.lastSerial,
      status: 'RUNNING',
      last: -1,
      wakeAt: 0,
      records: 0,
      toTell: 1,
      told: 0,
      queue: [],
    };
    this.bySerial.set(made.serial, made);
    const begun = drive(start(this.options.program(made.revision), this.identity(made, body)));
    const begin = ({ execution, effects }: { execution: Execution; effects: Effect[] }) => {
      made.live = execution;
      this.record(made, 'start', JSON.stringify(body), effects, made.startTime, () => started(made));
      this.next(made);
    };
    if (begun instanceof Promise) void begun.then(begin);
    else begin(begun);
    return made;
  }

  /** Tells an execution what has happened. `done` is called once that is on disk, with false where it came too late. */
  tell(entry: Entry, input: Input, done?: (applied: boolean) => void): void {
    if (entry.queue !== undefined) {
      entry.queue.push({ input, done });
      return;
    }
    entry.queue = [];
    const execution = this.computed(entry);
    if (execution instanceof Promise) void execution.then((found) => this.work(entry, found, input, done));
    else this.work(entry, execution, input, done);
  }

  private work(entry: Entry, execution: Execution, input: Input, done: ((applied: boolean) => void) | undefined): void {
    if (!applies(execution, input)) {
      if (done) this.options.journal.afterCommit(() => done(false));
      this.next(entry);
      return;
    }
    const time = Math.max(this.options.clock.now(), execution.time);
    const effects = drive(apply(execution, input, time));
    const applied = (made: Effect[]) => {
      this.record(entry, input.kind, bodyOf(input), made, time, done && (() => done(true)));
      this.next(entry);
    };
    if (effects instanceof Promise) void effects.then(applied);
    else applied(effects);
  }

  /** Journals a transition, and lets its effects out afterwards. */
  private record(
    entry: Entry,
    kind: Input['kind'] | 'start',
    body: string,
    effects: Effect[],
    time: number,
    done: (() => void) | undefined,
  ): void {
    const execution = entry.live!;
    const wakeAt = nextAlarm(execution) ?? 0;
    const inFlight = needsDispatch(execution);
    const { journal } = this.options;
    entry.last = journal.append({
      kind,
      serial: entry.serial,
      previous: entry.last,
      time,
      wakeAt,
      inFlight,
      status: execution.outcome?.status ?? 'RUNNING',
      lastEvent: execution.events.last,
      body,
    });
    entry.records += 1;
    entry.status = execution.outcome?.status ?? 'RUNNING';
    entry.outcome = execution.outcome;
    entry.stopTime = execution.outcome?.time;
    if (kind === 'redrive') {
      entry.toTell += 1;
      entry.redrives = execution.redriveCount;
    }
    if (execution.outcome !== undefined) entry.toTell += 1;
    this.wakeAt(entry, wakeAt);
    if (effects.length > 0 || done !== undefined) {
      journal.afterCommit(() => {
        done?.();
        for (const effect of effects) this.release(entry, effect);
      });
    }
    if (execution.outcome !== undefined) {
      entry.live = undefined;
      this.idle.delete(entry.serial);
    } else if (!inFlight && entry.records <= cheapToRead) this.letGoIdle(entry);
  }

  private release(entry: Entry, effect: Effect): void {
    const { world } = this.options;
    if (effect.kind === 'dispatch') world.dispatch(entry, effect);
    else if (effect.kind === 'cancel') world.cancel(entry, effect.task);
    else world.finished(entry, effect.outcome);
  }

  /** Goes on with what has queued up. */
  private next(entry: Entry): void {
    const queued = entry.queue?.shift();
    if (queued === undefined) {
      entry.queue = undefined;
      return;
    }
    const execution = this.computed(entry);
    if (execution instanceof Promise)
      void execution.then((found) => this.work(entry, found, queued.input, queued.done));
    else this.work(entry, execution, queued.input, queued.done);
  }

  private letGoIdle(entry: Entry): void {
    this.idle.delete(entry.serial);
    this.idle.set(entry.serial, entry);
    if (this.idle.size <= keptIdle) return;
    for (const [serial, oldest] of this.idle) {
      this.idle.delete(serial);
      if (oldest.queue === undefined && oldest.live && !needsDispatch(oldest.live)) oldest.live = undefined;
      break;
    }
  }

  /** Arms the execution's alarm. */
  wakeAt(entry: Entry, time: number): void {
    if (entry.wakeAt === time && (entry.alarm !== undefined || time === 0)) return;
    entry.alarm?.cancel();
    entry.wakeAt = time;
    entry.alarm = time === 0 ? undefined : this.options.clock.at(time, () => this.ring(entry, time));
  }

  private ring(entry: Entry, time: number): void {
    if (entry.wakeAt !== time) return;
    entry.alarm = undefined;
    this.tell(entry, { kind: 'alarm' });
  }

  /** The execution as it stands; computed from its records where it is not in memory. */
  private computed(entry: Entry): Execution | Promise<Execution> {
    if (entry.live !== undefined) return entry.live;
    const { journal } = this.options;
    const pending = journal.committed().then(() => this.replay(entry));
    return pending.then((execution) => {
      entry.live = execution;
      return execution;
    });
  }

  /** Computes an execution from its records. */
  async replay(entry: Entry, history?: HistorySink): Promise<Execution> {
    const [first, ...rest] = readChain(this.options.journal, entry.last);
    const body = JSON.parse(first!.body) as StartBody;
    const { execution } = await drive(start(this.options.program(entry.revision), this.identity(entry, body), history));
    for (const record of rest) {
      const steps = apply(execution, inputOf(record.kind as Input['kind'], record.body), record.time, history);
      const effects = drive(steps);
      if (effects instanceof Promise) await effects;
      if (execution.events.last !== record.lastEvent) {
        throw new Error(
          `Execution ${executionArn(entry)} was journaled by another version of this engine and cannot be continued`,
        );
      }
    }
    return execution;
  }

  /** The committed history of an execution. */
  async history(entry: Entry): Promise<{ events: HistoryEvent[]; execution: Execution }> {
    await this.options.journal.committed();
    const events: HistoryEvent[] = [];
    const execution = await this.replay(entry, (event) => events.push(event));
    return { events, execution };
  }

  /** What the execution was started with. */
  async startBody(entry: Entry): Promise<StartBody> {
    await this.options.journal.committed();
    return JSON.parse(readChain(this.options.journal, entry.last)[0]!.body) as StartBody;
  }

  /** How it ended, read back where it is no longer in memory. */
  async outcome(entry: Entry): Promise<Outcome | undefined> {
    await this.options.journal.committed();
    if (entry.status === 'RUNNING') return undefined;
    entry.outcome ??= (await this.replay(entry)).outcome;
    return entry.outcome;
  }

  private identity(entry: Entry, body: StartBody): Identity {
    const { revision } = entry;
    return {
      serial: entry.serial,
      arn: executionArn(entry),
      name: entry.name,
      stateMachineArn: revision.stateMachineArn,
      stateMachineName: revision.name,
      versionArn: entry.versionArn,
      aliasArn: entry.aliasArn,
      roleArn: revision.roleArn,
      region: this.options.region,
      input: body.input,
      startTime: entry.startTime,
      seed: body.seed,
    };
  }

  /** Makes an execution that a restart has found known again, and takes up what it was doing. */
  async resume(entry: Entry): Promise<Effect[]> {
    const execution = await this.computed(entry);
    const effects: Effect[] = [];
    for (const [task, branch] of execution.tasks) {
      if (branch.waiting?.kind !== 'task' || !isInFlight(branch.waiting)) continue;
      const { request, submitted } = branch.waiting;
      effects.push({ kind: 'dispatch', task, resource: parseResource(request.resource)!, request, submitted });
    }
    return effects;
  }
}

function bodyOf(input: Input): string {
  if (input.kind === 'alarm' || input.kind === 'redrive') return '';
  const { kind, ...rest } = input;
  return JSON.stringify(rest);
}

const inputOf = (kind: Input['kind'], body: string): Input =>
  (body === '' ? { kind } : { kind, ...JSON.parse(body) }) as Input;
