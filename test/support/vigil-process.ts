import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { nextChange } from './api-client';
import { assembly } from './assembly';
import { type ModelServer, startModelServer } from './model-server';
import { conversationsIn, endCloud, type ServedCloud, serveCloud } from './served-cloud';

/**
 * A local cloud in a separate process, its state directory and its scripted model. The stories of a file take turns
 * with one, because a cloud costs more to start than most stories to run.
 */
export interface VigilProcess {
  model: ModelServer;
  state: string;
  cloud: ServedCloud;
  stepFunctions: SFNClient;
  stateMachineArns: string[];
  tableName: string;
  /** Whether other stories can use it: not if it is dead or has another deployment. */
  reusable: boolean;
  /** The number of stories so far. */
  stories: number;
  kill(): Promise<void>;
  /** Starts it again on the same state. Another assembly or other variables make this a deployment. */
  restart(assembly?: string, variables?: Record<string, string>): Promise<void>;
}

export interface VigilProcessOptions {
  assembly: string;
  variables: Record<string, string>;
}

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const idle = new Map<string, VigilProcess[]>();

/** Returns a process that another story has released, or a new one. */
export async function takeProcess(options: VigilProcessOptions): Promise<VigilProcess> {
  const left = idle.get(keyOf(options))?.pop();
  const taken = left ?? (await startProcess(options));
  taken.stories += 1;
  return taken;
}

/**
 * Stops what the story left active, and keeps the process for the next story of the file. A process with another
 * deployment ends, because its story removes the assembly, to which a cloud still writes compiled code.
 */
export async function leaveProcess(options: VigilProcessOptions, left: VigilProcess): Promise<void> {
  // A dead process does not respond.
  const isShared = options.assembly === assembly;
  if (isOver || !isShared || !left.reusable || !(await isAtRest(left).catch(() => false))) return endProcess(left);
  const key = keyOf(options);
  idle.set(key, [...(idle.get(key) ?? []), left]);
}

// Ends the processes after the last story of a file. A process released later ends in `leaveProcess`.
let isOver = false;
afterAll(async () => {
  isOver = true;
  const left = [...idle.values()].flat();
  idle.clear();
  await Promise.all(left.map(endProcess));
});

const keyOf = ({ assembly, variables }: VigilProcessOptions) =>
  JSON.stringify([assembly, Object.entries(variables).sort()]);

async function startProcess({ assembly, variables }: VigilProcessOptions): Promise<VigilProcess> {
  const model = await startModelServer();
  const state = mkdtempSync(join(tmpdir(), 'vigil-state-'));
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-test',
    ...variables,
  };
  const cloud = await serveCloud(assembly, state, environment);
  const stepFunctions = clientOf(cloud);
  let deployed = assembly;
  let changed = false;
  const started: VigilProcess = {
    ...{ model, state, cloud, stepFunctions },
    ...(await namesIn(cloud, stepFunctions)),
    reusable: true,
    stories: 0,
    async kill() {
      started.reusable = false;
      await endCloud(started.cloud, 'SIGKILL');
    },
    async restart(newAssembly, newVariables) {
      changed ||= newAssembly !== undefined || newVariables !== undefined;
      Object.assign(environment, newVariables);
      deployed = newAssembly ?? deployed;
      started.cloud = await serveCloud(deployed, state, environment);
      started.stepFunctions.destroy();
      started.stepFunctions = clientOf(started.cloud);
      started.reusable = !changed;
    },
  };
  return started;
}

async function namesIn({ awsUrl }: ServedCloud, stepFunctions: SFNClient) {
  const { stateMachines = [] } = await stepFunctions.send(new ListStateMachinesCommand({}));
  const stateMachineArns = stateMachines.map(({ stateMachineArn }) => stateMachineArn!);
  const tables = new DynamoDBClient({ endpoint: awsUrl, region: 'us-east-1', credentials });
  const tableName = conversationsIn((await tables.send(new ListTablesCommand({}))).TableNames!);
  tables.destroy();
  return { stateMachineArns, tableName };
}

async function endProcess({ model, state, cloud, stepFunctions }: VigilProcess): Promise<void> {
  stepFunctions.destroy();
  await endCloud(cloud, 'SIGTERM');
  await model.stop();
  rmSync(state, { recursive: true, force: true });
}

const clientOf = ({ awsUrl }: ServedCloud) => new SFNClient({ endpoint: awsUrl, region: 'us-east-1', credentials });

/** Stopping an execution starts others, which settle its run. They end within a few rounds. */
const restRounds = 20;
/** Beyond this, dates in the stories may have passed. */
const maxClockOffsetMs = 300 * 86_400_000;

/**
 * Stops what sleeps or waits, so that it does not wake in another story. @returns whether the process can be reused.
 */
async function isAtRest({ model, cloud, stepFunctions, stateMachineArns }: VigilProcess): Promise<boolean> {
  const local = (path: string, init?: RequestInit) => fetch(`${cloud.url}/_local/${path}`, init);
  const { offset } = (await (await local('clock')).json()) as { offset: number };
  if (offset > maxClockOffsetMs) return false;
  await local('faults', { method: 'DELETE' });
  model.script(() => ({ text: 'This story is over.' }));
  model.release();
  let writes = 0;
  for (let round = 0; round < restRounds; round++) {
    const pages = await Promise.all(
      stateMachineArns.map((stateMachineArn) =>
        stepFunctions.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING' })),
      ),
    );
    const running = pages.flatMap(({ executions = [] }) => executions);
    for (const { executionArn } of running)
      await stepFunctions.send(new StopExecutionCommand({ executionArn })).catch(() => undefined);
    const now = await nextChange(cloud.url, writes, running.length > 0 ? 250 : 0);
    if (running.length === 0 && now === writes) return true;
    writes = now;
  }
  return false;
}
