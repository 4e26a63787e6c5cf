import { runtimeFailure } from './errors';
import { Evaluations } from './jsonata/evaluator';

/** How many values the paths, functions and rules of one state may look at: about a tenth of a second. */
const mostLooks = 1_000_000;

/** What a state's expressions may cost, so that none holds up every other execution. */
export class Work {
  private left = mostLooks;

  constructor(readonly evaluations = new Evaluations()) {}

  /** Counts values that are looked at, or what takes as long. Throws StateFailure. */
  spend(looks: number): void {
    this.left -= looks;
    if (this.left < 0)
      throw runtimeFailure(`The state's paths and functions look at too many values: more than ${mostLooks}`);
  }
}
