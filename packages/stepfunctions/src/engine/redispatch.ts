import type { Execution, TaskWait } from '../execution/execution';
import type { Dispatch } from '../execution/transition';

/**
 * Whether a task has to be taken up again when the engine starts: everything but what waits for somebody with a token.
 * A job that was started (`.sync`) is watched again, not started again.
 */
function isInFlight({ request, submitted, started }: TaskWait): boolean {
  const { resource } = request;
  if (resource.kind === 'activity') return !started;
  return resource.pattern !== '.waitForTaskToken' || submitted === undefined;
}

export function needsDispatch(execution: Execution): boolean {
  for (const branch of execution.tasks.values()) {
    if (branch.waiting?.kind === 'task' && isInFlight(branch.waiting)) return true;
  }
  return false;
}

/** The tasks that nobody works on any more, each as it was dispatched before. */
export function inFlight(execution: Execution): Dispatch[] {
  const found: Dispatch[] = [];
  for (const [task, { waiting, state }] of execution.tasks) {
    if (waiting?.kind !== 'task' || !isInFlight(waiting)) continue;
    const { request, submitted } = waiting;
    found.push({
      kind: 'dispatch',
      task,
      state: state.name,
      resource: request.resource,
      request,
      submitted,
    });
  }
  return found;
}
