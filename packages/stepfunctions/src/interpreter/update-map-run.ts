import type { Branch } from '../execution/execution';
import { type Limits, mostAtATime, sizeOf, tolerance } from '../execution/map-run';
import type { Transition } from '../execution/transition';
import type { Steps } from '../language/steps';
import { isContainer } from '../states/container';
import { tellParent } from './endings';

/** Changes the limits of a run that is under way; more iterations may begin. */
export function* updateMapRun(transition: Transition, arn: string, limits: Limits): Steps<void> {
  const branch = findRun(transition.execution.root, arn);
  if (branch?.waiting?.kind !== 'children' || !isContainer(branch.state)) return;
  const { children } = branch.waiting;
  const run = branch.mapRun!;
  run.limits = { ...run.limits, ...limits };
  children.limit = run.limits.maxConcurrency || mostAtATime;
  children.tolerated = tolerance(run.limits, sizeOf(children.items));
  if (branch.state.proceed) yield* tellParent(transition, branch, branch.state.proceed(transition, branch, children));
}

function findRun(branch: Branch, arn: string): Branch | undefined {
  if (branch.mapRun?.arn === arn) return branch;
  if (branch.waiting?.kind !== 'children') return undefined;
  for (const child of branch.waiting.children.running.values()) {
    const found = findRun(child, arn);
    if (found) return found;
  }
  return undefined;
}
