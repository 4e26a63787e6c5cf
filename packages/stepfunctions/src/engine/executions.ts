import type { Clock } from '../clock/clock';
import type { Execution } from '../execution/execution';
import type { Dispatch, Effect } from '../execution/transition';
import { nextAlarm } from '../interpreter/alarms';
import { applies, apply, type Input } from '../interpreter/apply';
import { jsonText } from '../language/json';
import { drive, driveAtOnce } from '../language/steps';
import { type Entry, executionArn, makeEntry, type NewEntry, noteRecord, type QueuedInput } from './entry';
import { IdleExecutions } from './idle-executions';
import { type Begun, ExecutionReader, type ReaderOptions } from './journal/reader';
import { inFlight, needsDispatch } from './redispatch';
import { bodyOf, imageOf, type StartBody } from './replay';

/** External effects of an execution; called once the transition behind them is on disk. */
interface World {
  dispatch(entry: Entry, effect: Dispatch): void;
  cancel(entry: Entry, task: number): void;
  finished(entry: Entry): void;
}

export interface ExecutionsOptions extends Omit<ReaderOptions, 'knows'> {
  clock: Clock;
  world: World;
  /** Whether the execution's state machine is being deleted, or is gone. */
  deleted(entry: Entry): boolean;
}

/** All executions of an engine: starts them, tells them what happens, and wakes them. */
export class Executions {
  readonly bySerial = new Map<number, Entry>();
  readonly reader: ExecutionReader;
  private readonly idle = new IdleExecutions();
  lastSerial = 0;
  /** The number of executions that are processing what they were told. */
  private working = 0;
  private lastRecord = -1;

  constructor(private readonly options: ExecutionsOptions) {
    this.reader = new ExecutionReader({ ...options, knows: (entry) => this.bySerial.get(entry.serial) === entry });
  }

  /** Starts an execution; `started` is called when it is on disk, `failed` where there is no beginning with it. */
  start(fields: NewEntry, body: StartBody, started: (entry: Entry) => void, failed: (defect: Error) => void): Entry {
    const entry = this.add({ ...fields, serial: this.lastSerial + 1 });
    this.occupy(entry);
    const begun = ({ execution, effects }: Begun) => {
      entry.live = execution;
      const { stopped } = execution;
      this.record(entry, 'start', jsonText({ ...body, stopped }), effects, entry.startTime, () => started(entry));
      this.next(entry);
    };
    attempt(
      () => this.reader.begin(entry, body),
      begun,
      (defect) => {
        this.working -= 1;
        this.bySerial.delete(entry.serial);
        // Never before this returns.
        queueMicrotask(() => failed(defect));
      },
    );
    return entry;
  }

  /** Makes an execution known; nothing has happened to it yet. */
  add(fields: NewEntry & { serial: number }): Entry {
    const entry = makeEntry(fields);
    this.lastSerial = Math.max(this.lastSerial, entry.serial);
    this.bySerial.set(entry.serial, entry);
    return entry;
  }

  /** Tells an execution what has happened. `done` is called once that is on disk, with false where it came too late. */
  tell(entry: Entry, input: Input, done?: (applied: boolean) => void): void {
    if (entry.queue !== undefined) {
      entry.queue.push({ input, done });
      return;
    }
    this.occupy(entry);
    this.take(entry, { input, done });
  }

  private occupy(entry: Entry): void {
    entry.queue = [];
    this.working += 1;
  }

  /** Whether all that executions were told is processed and on disk. */
  isIdle(): boolean {
    return this.working === 0 && (this.lastRecord < 0 || this.options.journal.isCommitted(this.lastRecord));
  }

  private take(entry: Entry, queued: QueuedInput): void {
    attempt(
      () => this.computed(entry),
      (execution) => this.work(entry, execution, queued),
      (defect) => {
        queued.done?.(false);
        this.unreadable(entry, defect);
      },
    );
  }

  /** Leaves an execution that cannot be read back as it is: it cannot be ended either. The others continue. */
  private unreadable(entry: Entry, defect: Error): void {
    this.options.log(`${executionArn(entry)} cannot be read: ${defect.stack ?? defect.message}`);
    this.next(entry);
  }

  private work(entry: Entry, execution: Execution, { input: told, done }: QueuedInput): void {
    const input: Input = this.options.deleted(entry) ? { ...told, deleted: true } : told;
    if (!applies(execution, input)) {
      if (done) this.options.journal.afterCommit(() => done(false));
      this.next(entry);
      return;
    }
    const time = Math.max(this.options.clock.now(), execution.time);
    attempt(
      () => drive(apply(execution, input, time)),
      (effects) => {
        this.record(entry, input.kind, bodyOf(input, execution.stopped), effects, time, done && (() => done(true)));
        this.next(entry);
      },
      (defect) => this.abandon(entry, execution, time, defect, done),
    );
  }

  /** Ends an execution that the interpreter cannot go on with. */
  private abandon(
    entry: Entry,
    execution: Execution,
    time: number,
    defect: Error,
    done?: (applied: boolean) => void,
  ): void {
    this.options.log(`${executionArn(entry)} was given up: ${defect.stack ?? defect.message}`);
    const input: Input = { kind: 'abandon', cause: `The engine cannot go on with this execution: ${defect.message}` };
    const effects = driveAtOnce(apply(execution, input, time));
    this.record(entry, input.kind, bodyOf(input, undefined), effects, time, done && (() => done(true)));
    this.next(entry);
  }

  /** Goes on with what has queued up meanwhile. */
  private next(entry: Entry): void {
    const queued = entry.queue?.shift();
    if (queued !== undefined) this.take(entry, queued);
    else {
      entry.queue = undefined;
      this.working -= 1;
    }
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
    this.lastRecord = position;
    noteRecord(entry, kind, status, time, position);
    this.wakeAt(entry, wakeAt);
    if (execution.outcome !== undefined) {
      entry.live = undefined;
      this.idle.end(entry, execution.outcome);
    } else if (!inFlight) this.idle.add(entry);
    if (effects.length === 0 && done === undefined) return;
    // A journal in memory lets them out before this returns: all that is known of the execution stands by now.
    journal.afterCommit(() => {
      done?.();
      for (const effect of effects) this.release(entry, effect);
    });
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

  /** The execution as it stands; computed from its records where it is not in memory. */
  private computed(entry: Entry): Execution | Promise<Execution> {
    if (entry.live !== undefined) return entry.live;
    return this.options.journal.committed().then(async () => {
      entry.live = await this.reader.replay(entry);
      return entry.live;
    });
  }

  /** Writes all that is known of an execution into one new record, so that its old ones are needed no more. */
  rewrite(entry: Entry): void {
    const { journal } = this.options;
    const { kind: _, body: __, ...header } = journal.read(entry.last);
    entry.last = journal.append({ ...header, kind: 'image', previous: -1, body: imageOf(journal, entry) });
    entry.first = entry.last;
  }

  /** Arms the alarms of what an old journal has left. */
  armAll(): void {
    for (const entry of this.bySerial.values()) {
      const time = entry.wakeAt;
      entry.wakeAt = 0;
      if (entry.status === 'RUNNING') this.wakeAt(entry, time);
    }
  }

  /**
   * Takes up the tasks that executions had under way when the engine before this one ended. Whatever else happens to such
   * an execution has to wait for that, so that no task of its is taken up twice.
   */
  takeUp(entries: ReadonlySet<Entry>): void {
    for (const entry of entries) this.occupy(entry);
    for (const entry of entries) {
      attempt(
        () => this.computed(entry),
        (execution) => {
          for (const effect of inFlight(execution)) this.options.world.dispatch(entry, effect);
          this.next(entry);
        },
        (defect) => this.unreadable(entry, defect),
      );
    }
  }
}

/** Goes on at once where nothing has to be waited for. `failed` is told about a defect of the work itself, not of what follows it. */
function attempt<T>(work: () => T | Promise<T>, then: (value: T) => void, failed: (defect: Error) => void): void {
  let value: T | Promise<T>;
  try {
    value = work();
  } catch (error) {
    failed(error as Error);
    return;
  }
  if (value instanceof Promise) void value.then(then, failed);
  else then(value);
}
