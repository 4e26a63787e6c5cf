import type { Branch, Execution, Outcome } from '../src/execution/execution';
import { start } from '../src/interpreter/apply';
import { identity } from '../src/interpreter/histories-fixture';
import type { Json, JsonObject } from '../src/language/json';
import { driveAtOnce } from '../src/language/steps';
import { compileProgram } from '../src/states/compile';

/** Runs states until they end or wait, the first one first. */
export async function run(
  states: JsonObject,
  input: Json,
): Promise<{ outcome: Outcome | undefined; waiting: Branch['waiting'] }> {
  const program = compileProgram({ StartAt: Object.keys(states)[0]!, States: states });
  const begun = driveAtOnce(start(program, { ...identity, input: JSON.stringify(input) }));
  const { execution } = (await begun) as { execution: Execution };
  return { outcome: execution.outcome, waiting: execution.root.waiting };
}
