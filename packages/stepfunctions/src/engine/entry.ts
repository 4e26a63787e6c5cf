import type { Alarm } from '../clock/clock';
import type { Execution, Outcome, Status } from '../execution/execution';
import type { Input } from '../interpreter/apply';
import type { Revision } from './machines';

/** Properties of an execution that are known at its start. */
export interface NewEntry {
  readonly name: string;
  readonly revision: Revision;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** The task of another execution that started it: recognises that call when it is made again after a restart. */
  readonly startedBy?: string;
  /** The test case of the mock configuration that it runs. */
  readonly testCase?: string;
  /** Started through a version or an alias. */
  readonly versionArn?: string;
  readonly aliasArn?: string;
  /** Tells Express executions of one name apart; a part of their ARN. */
  readonly expressId?: string;
}

/** The part of an execution that is always in memory; everything else is computed from the journal when it is needed. */
export interface Entry extends NewEntry {
  readonly serial: number;
  status: Status;
  stopTime?: number;
  /** Positions of the first and the last record. */
  first: number;
  last: number;
  /** The number of its records: the cost of computing it again. */
  records: number;
  /** The time to wake it, milliseconds since the epoch; 0 for never. */
  wakeAt: number;
  alarm?: Alarm;
  /** The execution as it stands, where it is not only in the journal. */
  live?: Execution;
  /** Its outcome, if that is still in memory. */
  outcome?: Outcome;
  /** Inputs that arrived while an earlier one was being processed; undefined when none is. */
  queue?: QueuedInput[];
  redrives?: number;
  redriveTime?: number;
  /** The number of its status events, and the number that a listener has taken. */
  toTell: number;
  told: number;
}

/** Every field is there from the beginning: 100,000 objects of one shape. */
export const makeEntry = (fields: NewEntry & { serial: number }): Entry => ({
  name: fields.name,
  revision: fields.revision,
  startTime: fields.startTime,
  startedBy: fields.startedBy,
  testCase: fields.testCase,
  versionArn: fields.versionArn,
  aliasArn: fields.aliasArn,
  expressId: fields.expressId,
  serial: fields.serial,
  status: 'RUNNING',
  stopTime: undefined,
  first: -1,
  last: -1,
  records: 0,
  wakeAt: 0,
  alarm: undefined,
  live: undefined,
  outcome: undefined,
  queue: undefined,
  redrives: undefined,
  redriveTime: undefined,
  toTell: 1,
  told: 0,
});

export interface QueuedInput {
  input: Input;
  /** Called after the input is on disk, with false where it came too late to matter. */
  done?: (applied: boolean) => void;
}

/** `arn:aws:states:us-east-1:123456789012:execution:machine:name`; for Express `arn:…:express:machine:name:id`. */
export const executionArn = ({ revision, name, expressId }: Pick<Entry, 'revision' | 'name' | 'expressId'>): string =>
  expressId === undefined
    ? `${revision.stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`
    : `${revision.stateMachineArn.replace(':stateMachine:', ':express:')}:${name}:${expressId}`;

/** Takes note of a record of the execution: what it was, and how the execution stands after it. */
export function noteRecord(
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
    entry.redriveTime = time;
    entry.toTell += 1;
  }
  if (status !== 'RUNNING') entry.toTell += 1;
}
