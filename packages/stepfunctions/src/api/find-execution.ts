import type { Engine } from '../engine/engine';
import type { Entry } from '../engine/entry';
import type { ExecutionView } from '../engine/view';
import { ApiError } from './api-error';

/** Throws ExecutionDoesNotExist. */
export function findExecution(engine: Engine, arn: string): Entry {
  const entry = engine.byArn(arn);
  if (entry === undefined) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  return entry;
}

/** An execution to read, also where it lies in the archive. Throws ExecutionDoesNotExist. */
export async function lookUp(engine: Engine, arn: string): Promise<ExecutionView> {
  const view = await engine.look(arn);
  if (view === undefined) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
  return view;
}
