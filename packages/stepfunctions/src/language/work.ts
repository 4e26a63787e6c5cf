import { runtimeFailure } from './errors';
import { type Compiled, Evaluations } from './jsonata/evaluator';

/** The number of values that the paths, functions and rules of one state may look at: about a tenth of a second. */
const mostLooks = 1_000_000;

/** The limit on the cost of a state's expressions, so that none holds up every other execution. */
export class Work {
  private left = mostLooks;
  /** For all its JSONata together, milliseconds. */
  private time: number;

  constructor(private readonly evaluations = new Evaluations()) {
    this.time = evaluations.limit;
  }

  /** Evaluates one of the state's expressions. Throws the errors of Evaluations. */
  evaluate(expression: Compiled, bindings: Record<string, unknown>): unknown {
    const began = performance.now();
    try {
      return this.evaluations.evaluate(expression, bindings, Math.max(1, Math.ceil(this.time)));
    } finally {
      this.time -= performance.now() - began;
    }
  }

  /** Counts values that are looked at, or what takes as long. Throws StateFailure. */
  spend(looks: number): void {
    this.left -= looks;
    if (this.left < 0)
      throw runtimeFailure(`The state's paths and functions look at too many values: more than ${mostLooks}`);
  }
}
