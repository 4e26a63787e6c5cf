import type { Branch } from '../execution/execution';
import { redriveRun } from '../execution/map-run';
import type { Transition } from '../execution/transition';

/**
 * Keeps what runs inside the branch's present state, before that is let go of: a redrive goes on with what has failed or
 * was aborted, and has the results of the others.
 */
export function keep(branch: Branch): void {
  const { waiting } = branch;
  if (waiting?.kind !== 'children') return;
  const { children } = waiting;
  for (const child of children.running.values()) keep(child);
  branch.kept = { ...children, running: new Map([...(children.lost ?? []), ...children.running]), lost: undefined };
}

/** The execution goes on from where it failed. */
export function redrive(transition: Transition): void {
  const { execution } = transition;
  execution.outcome = undefined;
  execution.redriveCount += 1;
  execution.redriveTime = transition.time;
  if (execution.program.timeoutSeconds !== undefined)
    execution.timeoutAt = transition.time + execution.program.timeoutSeconds * 1000;
  transition.event(execution.root, 'ExecutionRedriven', () => ({ redriveCount: execution.redriveCount }));
  resume(transition, execution.root);
}

/** Enters the state again that has failed: the branch's own, or those inside it. */
function resume(transition: Transition, branch: Branch): void {
  const { kept } = branch;
  branch.kept = undefined;
  if (kept === undefined || kept.running.size === 0) {
    transition.pending.push({ branch, progress: 'enter' });
    return;
  }
  branch.attempts = [];
  branch.waiting = { kind: 'children', children: { ...kept, failed: 0 } };
  redriveRun(transition, branch, kept);
  for (const child of kept.running.values()) {
    if (child.events === branch.events) child.previous = branch.previous;
    resume(transition, child);
  }
}
