import { createHash } from 'node:crypto';
import { errorNames, StateFailure } from '../language/errors';
import type { Json, JsonObject } from '../language/json';
import { Evaluations, type Stops } from '../language/jsonata/evaluator';
import { Random, seedOf } from '../language/random';
import type { Scope, Variables } from '../language/scope';
import { Work } from '../language/work';
import { type ContextExtras, contextObject } from './context-object';
import type { Branch, Execution, MapItem, Outcome, TaskRequest } from './execution';
import { detailsName, type EventDetails, type HistorySink } from './history';
import type { Block } from './program';
import type { Progress } from './state';
import type { TaskResource } from './task-resource';

/** An external action that follows a transition, once that is on disk. */
export type Effect =
  /** `submitted`: the job has been started before; it is only watched. */
  | { kind: 'dispatch'; task: number; state: string; resource: TaskResource; request: TaskRequest; submitted?: Json }
  | { kind: 'cancel'; task: number }
  | { kind: 'finished'; outcome: Outcome };

export type Dispatch = Extract<Effect, { kind: 'dispatch' }>;

/** "The maximum number of events in a single state machine execution history": the last one tells that the limit is reached. */
export const historyLimit = 25_000;

/** A step that is still to be taken in the running transition: enter the branch's state, or go on after it. */
export interface Pending {
  branch: Branch;
  progress: Progress | 'enter';
}

/** One transition of one execution: from something that happened to everything that follows from it at once. */
export class Transition {
  readonly effects: Effect[] = [];
  readonly pending: Pending[] = [];
  private dice: Random | undefined;
  private readonly evaluations: Evaluations;

  constructor(
    readonly execution: Execution,
    /** The time of the transition, milliseconds since the epoch. */
    readonly time: number,
    private readonly history: HistorySink | undefined,
    /** The evaluations that were stopped when it was first made; undefined when that is now. */
    stopped?: Stops,
    /** The state machine is being deleted. */
    readonly deleted = false,
  ) {
    this.evaluations = new Evaluations(stopped);
  }

  /** The evaluations that were stopped, if there are any. */
  get stopped(): Stops | undefined {
    const { stopped } = this.evaluations;
    return Object.keys(stopped).length > 0 ? stopped : undefined;
  }

  /** Numbers an event, and records it where somebody wants the history. Returns its id. */
  event(branch: Branch, type: string, details?: () => EventDetails): number {
    const { events } = branch;
    if (events.last >= historyLimit - 1 && !type.startsWith('Execution')) throw new HistoryFull();
    events.last += 1;
    if (this.history !== undefined && this.history.child === (events.silent ? branch.own?.arn : undefined)) {
      const made = details?.();
      this.history({
        id: events.last,
        previousEventId: branch.previous,
        timestamp: this.time,
        type,
        ...(made && { detailsName: detailsName(type), details: made }),
      });
    }
    branch.previous = events.last;
    return events.last;
  }

  nextId(): number {
    this.execution.lastId += 1;
    return this.execution.lastId;
  }

  /** A task's token: names the execution and the task, and cannot be guessed. */
  token(task: number): string {
    const { serial, seed } = this.execution.identity;
    return taskToken(serial, task, seed);
  }

  get random(): Random {
    this.dice ??= new Random(seedOf(this.execution.identity.seed, this.execution.events.last, this.execution.lastId));
    return this.dice;
  }

  /** Returns the data that the branch's present state can read. */
  scope(branch: Branch, extras?: ContextExtras): Scope {
    const transition = this;
    let made: JsonObject | undefined;
    return {
      input: branch.input,
      variables: branch.variables,
      time: this.time,
      work: new Work(this.evaluations),
      context() {
        made ??= contextObject(transition.execution, branch, extras);
        return made;
      },
      random: () => transition.random,
    };
  }

  /** Starts a thread inside a Parallel or Map state; it runs later in this transition. */
  fork(
    parent: Branch,
    child: { block: Block; index: number; input: Json; previous: number; item?: MapItem; isolated?: boolean },
  ): Branch {
    if (parent.waiting?.kind !== 'children') throw new Error('Only a state with children can fork');
    const variables: Variables = { values: {}, outer: child.isolated ? undefined : parent.variables };
    const branch: Branch = {
      block: child.block,
      parent: { branch: parent, index: child.index },
      events: child.isolated ? { last: 0, silent: true } : parent.events,
      item: child.item ?? parent.item,
      own: parent.own,
      variables,
      state: child.block.states.get(child.block.startAt)!,
      input: child.input,
      previous: child.isolated ? 0 : child.previous,
      entered: 0,
      enteredTime: 0,
      attempts: [],
    };
    parent.waiting.children.running.set(child.index, branch);
    this.pending.push({ branch, progress: 'enter' });
    return branch;
  }
}

export class HistoryFull extends StateFailure {
  constructor() {
    super(errorNames.runtime, `The execution reached the maximum number of history events (${historyLimit}).`, {
      bare: true,
    });
  }
}

export function taskToken(serial: number, task: number, seed: string): string {
  const proof = createHash('sha256').update(`${seed}:${serial}:${task}`).digest('base64url');
  return Buffer.from(`${serial}:${task}:${proof}`).toString('base64url');
}
