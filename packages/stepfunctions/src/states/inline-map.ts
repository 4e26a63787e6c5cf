import type { MapMode } from './map';

/** "Inline mode": the iterations are threads of the execution, and their events stand in its history. */
export function inlineMap(name: string): MapMode {
  return {
    // "supports up to 40 concurrent iterations"
    most: 40,
    isolated: false,
    // biome-ignore lint/correctness/useYield: nothing waits here
    *limits() {
      return {};
    },
    started() {},
    launched() {},
    iterationStarted(transition, child, index) {
      transition.event(child, 'MapIterationStarted', () => ({ name, index }));
    },
    iterationSucceeded(transition, branch, index) {
      transition.event(branch, 'MapIterationSucceeded', () => ({ name, index }));
    },
    iterationFailed(transition, branch, index) {
      const { previous } = branch;
      transition.event(branch, 'MapIterationFailed', () => ({ name, index }));
      branch.previous = previous;
    },
    succeeded() {},
    failed: (_transition, _branch, failure) => failure,
  };
}
