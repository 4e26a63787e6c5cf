import type { Children } from '../execution/execution';
import { waits } from '../execution/state';
import type { Json, JsonObject } from '../language/json';
import type { CompileContext } from './compile';
import type { ContainerState } from './container';

/** Section "Parallel state": runs its branches at the same time, each with the same input. */
export function compileParallel(fields: JsonObject, context: CompileContext): ContainerState {
  const base = context.base(fields);
  const blocks = (fields.Branches as JsonObject[]).map((branch) => context.block(branch));
  return {
    ...base,
    *enter(transition, branch) {
      const scope = transition.scope(branch);
      const filtered = base.flow.input(scope);
      const input = base.flow.arguments ? yield* base.flow.arguments({ ...scope, input: filtered }) : filtered;
      const started = transition.event(branch, 'ParallelStateStarted');
      const children: Children = {
        running: new Map(),
        results: [],
        next: 0,
        items: [],
        limit: blocks.length,
        failed: 0,
      };
      branch.waiting = { kind: 'children', children };
      for (const [index, block] of blocks.entries())
        transition.fork(branch, { block, index, input, previous: started });
      return waits;
    },
    // biome-ignore lint/correctness/useYield: nothing waits here
    *childSucceeded(transition, branch, children) {
      if (children.running.size > 0) return waits;
      const { previous } = branch;
      transition.event(branch, 'ParallelStateSucceeded');
      branch.previous = previous;
      return { kind: 'result', result: children.results as Json[] };
    },
    // biome-ignore lint/correctness/useYield: nothing waits here
    *childFailed(_transition, _branch, _children, _index, failure) {
      return { kind: 'failed', failure };
    },
  };
}
