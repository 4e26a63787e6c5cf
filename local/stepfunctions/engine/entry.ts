import type { Alarm } from '../../clock';
import type { Input } from '../interpreter/apply';
import type { Execution, Outcome, Status } from '../interpreter/execution';
import type { Revision } from './machines';

/** What the engine always has of an execution in memory; everything else is computed from the journal when it is needed. */
export interface Entry {
  readonly serial: number;
  readonly name: string;
  readonly revision: Revision;
  readonly startTime: number;
  status: Status;
  stopTime?: number;
  /** Position of the last record. */
  last: number;
  /** When to wake it, milliseconds since the epoch; 0 for never. */
  wakeAt: number;
  alarm?: Alarm;
  /** The execution as it stands, where it is not only in the journal. */
  live?: Execution;
  /** How it ended, where that is still in memory. */
  outcome?: Outcome;
  /** What has happened to it while an earlier input was still being worked off; undefined when nothing is. */
  queue?: QueuedInput[];
  /** How many records it has: what computing it again costs. */
  records: number;
  redrives?: number;
  /** How many status events it has given rise to, and how many of them a listener has taken. */
  toTell: number;
  told: number;
  /** The task of another execution that started it: recognises that call when it is made again after a restart. */
  startedBy?: string;
  /** Started through a version or an alias. */
  versionArn?: string;
  aliasArn?: string;
}

export interface QueuedInput {
  input: Input;
  /** Called after the input is on disk, with false where it came too late to matter. */
  done: ((applied: boolean) => void) | undefined;
}

/** `arn:aws:states:us-east-1:123456789012:execution:machine:name` */
export const executionArn = ({ revision, name }: Entry): string =>
  `${revision.stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
