import type { Execution, TaskWait } from '../interpreter/execution';
import { parseResource } from '../states/task-resource';

/**
 * Whether a task has to be taken up again when the engine starts: everything but what waits for somebody with a token.
 * A job that was started (`.sync`) is watched again, not started again.
 */
export function isInFlight({ request, submitted, started }: TaskWait): boolean {
  const resource = parseResource(request.resource)!;
  if (resource.kind === 'activity') return !started;
  return resource.pattern !== '.waitForTaskToken' || submitted === undefined;
}

export function needsDispatch(execution: Execution): boolean {
  for (const branch of execution.tasks.values()) {
    if (branch.waiting?.kind === 'task' && isInFlight(branch.waiting)) return true;
  }
  return false;
}
