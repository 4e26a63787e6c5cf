import type { Clock } from '../clock/clock';
import type { TaskResource } from '../execution/task-resource';
import type { Engine } from './engine';
import type { Integration, TaskCall } from './integration';
import type { Mocks } from './mocks';
import type { ExecutionStatusChange } from './status-events';

export interface EngineOptions {
  directory?: string;
  clock: Clock;
  accountId: string;
  region: string;
  /** The time that a finished execution remains available, in milliseconds. */
  retention: number;
  integration(engine: Engine, resource: TaskResource): Integration | undefined;
  authorize(call: TaskCall): void;
  onStatusChange?: (event: ExecutionStatusChange) => Promise<void>;
  waitScale?: number;
  mocks?: Mocks;
  log(line: string): void;
  /** For tests: the journal's segments, in bytes. */
  segmentSize?: number;
  /** See `StepFunctionsOptions`. */
  passing?: (record: string) => (() => void) | undefined;
}
