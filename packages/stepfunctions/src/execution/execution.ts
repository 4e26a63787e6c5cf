import type { Failure } from '../language/errors';
import { isObject, type Json, type JsonObject } from '../language/json';
import type { Stops } from '../language/jsonata/evaluator';
import type { Variables } from '../language/scope';
import type { MapRun } from './map-run';
import type { Block, Program } from './program';
import type { State } from './state';
import type { TaskResource } from './task-resource';

/** Properties of an execution that are set at its start and never change. */
export interface Identity {
  /** Counts the executions of an engine; part of every task token. */
  readonly serial: number;
  readonly arn: string;
  readonly name: string;
  readonly stateMachineArn: string;
  readonly stateMachineName: string;
  /** The version and alias through which it was started, if any. */
  readonly versionArn?: string;
  readonly aliasArn?: string;
  /** Null where a test of a single state has none. */
  readonly roleArn: string | null;
  readonly region: string;
  /** JSON text, as it came. */
  readonly input: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** Random, secret: tokens, UUIDs and jitter derive from it. */
  readonly seed: string;
  /** Wait states last this part of what they say; for tests. */
  readonly waitScale?: number;
  /** The evaluations of its start that were stopped, if it has started before. */
  readonly stopped?: Stops;
  /** Cannot be redriven, and says nothing of it. */
  readonly express?: boolean;
  /** Stands in for all that the context object would say; for a test of a single state. */
  readonly context?: JsonObject;
  /** `$$.Map.Item`; for a test of a single state that lies in a Map state. */
  readonly item?: MapItem;
}

export type Status = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** The result of an ended execution. `output` is JSON text. */
export interface Outcome {
  status: Exclude<Status, 'RUNNING'>;
  time: number;
  output?: string;
  error?: string;
  cause?: string;
}

/** One execution, as far as it has come. Plain data beside the shared program: nothing here waits, opens or schedules. */
export interface Execution {
  readonly identity: Identity;
  readonly program: Program;
  readonly events: EventCounter;
  root: Branch;
  /** Counts tasks and branches. */
  lastId: number;
  /** The branches that wait for a task, by the task's number. */
  readonly tasks: Map<number, Branch>;
  /** The time of its last transition. */
  time: number;
  timeoutAt: number | undefined;
  redriveCount: number;
  redriveTime?: number;
  /** The evaluations of its last transition that were stopped: they fail at once when it is made again. */
  stopped?: Stops | undefined;
  /** Those that have begun, in order. */
  readonly mapRuns: MapRun[];
  outcome?: Outcome;
}

/** Properties of a distributed map's child execution that are set at its start. */
export interface ChildIdentity {
  readonly arn: string;
  readonly name: string;
  /** The machine's ARN and name, each with the map's label. */
  readonly stateMachineArn: string;
  readonly stateMachineName: string;
  readonly express: boolean;
  readonly input: Json;
  readonly startTime: number;
}

/** Numbers the events of one history. A distributed map's children have histories of their own, which are silent in this one. */
interface EventCounter {
  last: number;
  readonly silent: boolean;
}

/** A thread of an execution: the execution itself, a branch of a Parallel state or an iteration of a Map state. */
export interface Branch {
  readonly block: Block;
  readonly parent?: { readonly branch: Branch; readonly index: number };
  readonly events: EventCounter;
  /** `$$.Map.Item` of the nearest iteration. */
  readonly item?: MapItem;
  /** The child execution of a distributed map that it belongs to. */
  own?: ChildIdentity;
  variables: Variables;
  state: State;
  input: Json;
  /** The event that this branch's next one follows. */
  previous: number;
  /** The event and the time at which the present state was entered. */
  entered: number;
  enteredTime: number;
  /** The number of uses of each retrier of the present state. */
  attempts: number[];
  waiting?: Waiting;
  /** The failure of its last failed state, whether it was handled or not. */
  failure?: Failure;
  /** The branches or iterations of the present state as they were when it failed; for a redrive. */
  kept?: Children;
  /** The run that the present state has begun: a distributed map. */
  mapRun?: MapRun;
}

export interface MapItem {
  index: number;
  value: Json;
  key?: string;
  /** The S3 URI that an ItemReader has it from. */
  source?: string;
  /** The number of its items, if it is a batch. */
  size?: number;
}

export type Waiting =
  | { kind: 'until'; at: number }
  | { kind: 'retry'; at: number }
  | TaskWait
  | { kind: 'children'; children: Children };

export interface TaskWait {
  kind: 'task';
  task: number;
  request: TaskRequest;
  /** The service's answer to a task that waits for its token or for a job. */
  submitted?: Json;
  /** False until an activity's task has found its activity; other tasks need none. */
  scheduled?: boolean;
  started: boolean;
  timeoutAt?: number;
  heartbeatAt?: number;
  /** The objects that a map is about to write, and its result afterwards. */
  writing?: Writing;
  /** The result of the item reader's earlier requests. */
  reading?: Reading;
}

/** The items that have been read, and the S3 objects that are still to be read. */
export interface Reading {
  readonly objects: readonly JsonObject[];
  readonly items: readonly MapItem[];
  /** The maximum number of items to read. */
  readonly most: number;
  /** The ReaderConfig for the objects. */
  readonly config: JsonObject;
}

/** The objects that are still to be written, and the state's result. */
export interface Writing {
  readonly objects: readonly JsonObject[];
  readonly result: Json;
}

/** The call that a Task state requests. */
export interface TaskRequest {
  readonly resource: TaskResource;
  readonly parameters: Json;
  readonly token: string;
  readonly timeoutSeconds?: number;
  readonly heartbeatSeconds?: number;
  readonly credentials?: Json;
}

/** The role that the task's call is made with, where it is not the state machine's. */
export const roleOf = ({ credentials }: TaskRequest): string | undefined =>
  isObject(credentials) && typeof credentials.RoleArn === 'string' ? credentials.RoleArn : undefined;

/** The branches or iterations under way in one state, and what has come of the others. */
export interface Children {
  readonly running: Map<number, Branch>;
  readonly results: (Json | undefined)[];
  /** Items that have not begun yet are `items[next…]`. */
  next: number;
  readonly items: readonly MapItem[];
  limit: number;
  /** The number of items that have failed, and the number that may. */
  failed: number;
  tolerated?: number;
  /** Those that have failed, as they were. */
  lost?: Map<number, Branch>;
  /** The result so far of each child execution of a distributed map. */
  readonly runs?: ChildRun[];
}

export interface ChildRun {
  readonly own: ChildIdentity;
  output?: Json | undefined;
  failure?: Failure | undefined;
  /** The time of its end, milliseconds since the epoch. */
  stop?: number | undefined;
  redrives?: number;
}
