import { relative } from 'node:path';
import { type SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { nextChange } from '../api-client';
import { runningExecutions } from '../history';
import { type ModelServer, startModelServer } from '../servers/model-server';
import { assembly } from './assembly';
import { type CloudRequest, type Deployed, type SharedCloud, stepFunctionsOf } from './shared-clouds';

/** A local cloud in a separate process, for one story, and its scripted model. */
export interface VigilProcess {
  model: ModelServer;
  cloud: SharedCloud;
  stepFunctions: SFNClient;
  /** Whether other stories can use it: not if it is dead or has another deployment. */
  reusable: boolean;
  kill(): Promise<void>;
  /** Deploys another assembly while it runs. */
  deploy(assembly: string): Promise<void>;
  /** Starts it again on the same state. Another assembly or other variables make this a deployment. */
  restart(assembly?: string, variables?: Record<string, string>): Promise<void>;
}

/**
 * Returns a process that another story has left, or a new one.
 *
 * @param isAlone whether it must be new, and ends with the story.
 */
export async function takeProcess(deployed: Deployed, isAlone = false): Promise<VigilProcess> {
  const file = relative(process.cwd(), expect.getState().testPath!);
  const cloud = await ask({ ask: isAlone ? 'start' : 'take', file, ...deployed });
  const { id } = cloud;
  const taken: VigilProcess = {
    cloud,
    model: await startModelServer({ port: cloud.modelPort }),
    stepFunctions: stepFunctionsOf(cloud),
    reusable: !isAlone,
    async kill() {
      taken.reusable = false;
      await ask({ ask: 'kill', id });
    },
    async deploy(newAssembly) {
      taken.cloud = await ask({ ask: 'deploy', id, assembly: newAssembly });
    },
    async restart(newAssembly = taken.cloud.assembly, newVariables = {}) {
      const variables = { ...taken.cloud.variables, ...newVariables };
      taken.cloud = await ask({ ask: 'restart', id, assembly: newAssembly, variables });
      taken.stepFunctions.destroy();
      taken.stepFunctions = stepFunctionsOf(taken.cloud);
      taken.reusable = !isAlone;
    },
  };
  return taken;
}

/**
 * Stops what the story left active, and leaves the process to the next story. A process with another deployment ends,
 * because its story removes the assembly, to which a cloud still writes compiled code.
 */
export async function leaveProcess(left: VigilProcess): Promise<void> {
  const { id } = left.cloud;
  const isShared = left.cloud.assembly === assembly;
  // A dead process does not respond.
  const isLeft = isShared && left.reusable && (await isAtRest(left).catch(() => false));
  left.stepFunctions.destroy();
  await left.model.stop();
  await ask({ ask: isLeft ? 'leave' : 'end', id });
}

/** Asks Jest's main process, see `shared-clouds.ts`. */
async function ask(request: CloudRequest): Promise<SharedCloud> {
  const answer = await fetch(process.env.VIGIL_TEST_CLOUDS!, { method: 'POST', body: JSON.stringify(request) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as SharedCloud;
}

/** Stopping an execution starts others, which settle its run. They end within a few rounds. */
const restRounds = 20;
/** Beyond this, dates in the stories may have passed. */
const maxClockOffsetMs = 300 * 86_400_000;

/**
 * Stops what sleeps or waits, so that it does not wake in another story. @returns whether the process can be reused.
 */
async function isAtRest({ model, cloud, stepFunctions }: VigilProcess): Promise<boolean> {
  const local = (path: string, init?: RequestInit) => fetch(`${cloud.url}/_local/${path}`, init);
  // A story that failed may have left it moving.
  const stop = { method: 'POST', body: JSON.stringify({ stop: true }) };
  const { offset } = (await (await local('clock', stop)).json()) as { offset: number };
  // A browser has a clock of its own.
  if (offset > (cloud.variables.VIGIL_PAGE ? 0 : maxClockOffsetMs)) return false;
  await local('faults', { method: 'DELETE' });
  model.script(() => ({ text: 'This story is over.' }));
  model.release();
  let writes = 0;
  for (let round = 0; round < restRounds; round++) {
    const running = await runningExecutions(stepFunctions, cloud.stateMachineArns);
    for (const { executionArn } of running)
      await stepFunctions.send(new StopExecutionCommand({ executionArn })).catch(() => undefined);
    const now = await nextChange(cloud.url, writes, running.length > 0 ? 250 : 0);
    if (running.length === 0 && now === writes) {
      await local('tools', { method: 'DELETE' });
      return true;
    }
    writes = now;
  }
  return false;
}
