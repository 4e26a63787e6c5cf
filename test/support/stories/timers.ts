import { ListStateMachinesCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import type { Vigil } from '../clouds/vigil';
import { executionsOf, historyOf, statesEntered } from '../history';

/** The timer machine's executions, as the console shows them. */
export function timersOf(vigil: Vigil) {
  async function executions(timerId: string) {
    const { stateMachines = [] } = await vigil.stepFunctions.send(new ListStateMachinesCommand({}));
    const machine = stateMachines.find(({ name }) => name?.includes('Timer'))!.stateMachineArn!;
    return executionsOf(vigil.stepFunctions, machine, timerId);
  }
  return {
    executions,
    /** Returns the states that each execution has entered. */
    states: async (timerId: string) =>
      Promise.all(
        (await executions(timerId)).map(async ({ executionArn }) =>
          statesEntered(await historyOf(vigil.stepFunctions, executionArn!)),
        ),
      ),
    /** Stops the latest execution, like a person in the console. */
    async abort(timerId: string) {
      const executionArn = (await executions(timerId)).at(-1)!.executionArn!;
      await vigil.stepFunctions.send(new StopExecutionCommand({ executionArn }));
    },
    /** Reads until the executions have these statuses. @throws with the last ones. */
    async until(timerId: string, ...wanted: string[]) {
      let seen: unknown[] = [];
      for (let attempt = 0; attempt < 4_000; attempt++) {
        seen = (await executions(timerId)).map(({ status }) => status);
        if (String(seen) === String(wanted)) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`The executions of ${timerId} are ${seen}, not ${wanted}.`);
    },
  };
}
