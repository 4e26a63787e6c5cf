import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createPort } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { outsideWorld } from '../../../local/npm-start/outside-world';
import { cpuSeconds } from '../../../scripts/bench/cpu';
import { machinesOf } from '../history';
import { conversationsIn, deployTo, endCloud, type ServedCloud, serveCloud } from './served-cloud';

/**
 * A local cloud that stories of all files share, one after the other: it costs more to start than most stories to run.
 * Jest's main process owns it, and the processes that run the files ask for it over HTTP.
 */
export interface SharedCloud extends Pick<ServedCloud, 'url' | 'awsUrl' | 'terminal'> {
  id: number;
  pid: number;
  state: string;
  assembly: string;
  variables: Record<string, string>;
  /** Where its functions expect the model. */
  modelPort: number;
  stateMachineArns: string[];
  tableName: string;
  /** The number of stories so far. */
  stories: number;
}

export type Deployed = Pick<SharedCloud, 'assembly' | 'variables'>;

export type CloudRequest =
  /** Returns a cloud that no story uses, with these variables, or a new one. `file` is the file of tests. */
  | ({ ask: 'take'; file: string } & Deployed)
  /** Returns a new cloud. */
  | ({ ask: 'start'; file: string } & Deployed)
  /** Leaves a cloud to the next story. */
  | { ask: 'leave'; id: number }
  | { ask: 'kill'; id: number }
  /** Starts a killed cloud again, on its state. */
  | ({ ask: 'restart'; id: number } & Deployed)
  /** Deploys another assembly to a cloud that runs. */
  | { ask: 'deploy'; id: number; assembly: string }
  /** Ends a cloud and removes its state. */
  | { ask: 'end'; id: number };

interface Cloud {
  shared: SharedCloud;
  served: ServedCloud;
  /** The file of tests that uses it, and the CPU seconds that are already noted. */
  user?: { file: string; noted: number };
}

export interface SharedClouds {
  url: string;
  /** Ends all of them. */
  stop(): Promise<void>;
}

export async function shareClouds(): Promise<SharedClouds> {
  const clouds = new Map<number, Cloud>();
  let started = 0;
  const server = createServer(async (request, response) => {
    // On a busy machine, a connection that has been idle would be closed just as it is used again.
    response.setHeader('connection', 'close');
    try {
      response.end(JSON.stringify(await answer((await json(request)) as CloudRequest)));
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      await Promise.all([...clouds.keys()].map((id) => answer({ ask: 'end', id })));
    },
  };

  async function answer(request: CloudRequest): Promise<SharedCloud> {
    if (request.ask === 'take') return take(request, request.file);
    if (request.ask === 'start') return (await start(request, request.file)).shared;
    const cloud = clouds.get(request.id);
    if (!cloud) throw new Error(`There is no cloud ${request.id}.`);
    if (request.ask !== 'restart' && request.ask !== 'deploy') noteCost(cloud);
    if (request.ask === 'leave') cloud.user = undefined;
    if (request.ask === 'kill') await endCloud(cloud.served, 'SIGKILL');
    if (request.ask === 'restart') await restart(cloud, request);
    if (request.ask === 'deploy') await deploy(cloud, request.assembly);
    if (request.ask === 'end') {
      await endCloud(cloud.served, 'SIGTERM');
      clouds.delete(request.id);
      rmSync(cloud.shared.state, { recursive: true, force: true });
    }
    return cloud.shared;
  }

  async function take({ assembly, variables }: Deployed, file: string): Promise<SharedCloud> {
    const suitable = [...clouds.values()].filter(
      ({ user, shared }) =>
        !user && shared.assembly === assembly && isSame(atStart(shared.variables), atStart(variables)),
    );
    const found = suitable.find(({ shared }) => isSame(shared.variables, variables)) ?? suitable[0];
    // Marked before anything is awaited: another file may ask meanwhile.
    if (found) found.user = { file, noted: cpuSeconds(found.shared.pid) };
    const { shared, served } = found ?? (await start({ assembly, variables }, file));
    if (!isSame(shared.variables, variables)) {
      await deployTo(served, { environment: environmentOf(shared.modelPort, variables) });
      shared.variables = variables;
    }
    if (found) shared.stories += 1;
    return shared;
  }

  async function start({ assembly, variables }: Deployed, file: string): Promise<Cloud> {
    const [id, state, modelPort] = [started++, mkdtempSync(join(tmpdir(), 'vigil-state-')), await modelsPort()];
    const served = await serveCloud(assembly, state, environmentOf(modelPort, variables));
    const shared = {
      id,
      state,
      modelPort,
      assembly,
      variables,
      stories: 1,
      ...addressesOf(served),
      ...(await namesIn(served)),
    };
    const cloud = { shared, served, user: { file, noted: 0 } };
    clouds.set(id, cloud);
    return cloud;
  }

  async function deploy({ shared, served }: Cloud, assembly: string): Promise<void> {
    await deployTo(served, { assembly, environment: environmentOf(shared.modelPort, shared.variables) });
    shared.assembly = assembly;
  }

  async function restart(cloud: Cloud, { assembly, variables }: Deployed): Promise<void> {
    const { shared } = cloud;
    cloud.served = await serveCloud(assembly, shared.state, environmentOf(shared.modelPort, variables));
    Object.assign(shared, { assembly, variables, ...addressesOf(cloud.served) });
    if (cloud.user) cloud.user.noted = 0;
  }
}

const addressesOf = ({ url, awsUrl, terminal, process }: ServedCloud) => ({ url, awsUrl, terminal, pid: process.pid! });

const environmentOf = (modelPort: number, variables: Record<string, string>): NodeJS.ProcessEnv => ({
  ...process.env,
  OPENAI_BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
  OPENAI_API_KEY: 'sk-test',
  ...variables,
});

/** The variables that a cloud reads only when it starts. */
function atStart(variables: Record<string, string>): Record<string, string> {
  const { VIGIL_PAGE: _page, ...changeable } = outsideWorld(variables);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !Object.hasOwn(changeable, name)));
}

const isSame = (one: Record<string, string>, other: Record<string, string>): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export const stepFunctionsOf = ({ awsUrl }: Pick<SharedCloud, 'awsUrl'>): SFNClient =>
  new SFNClient({ endpoint: awsUrl, region: 'us-east-1', credentials });

export const dynamodbOf = ({ awsUrl }: Pick<SharedCloud, 'awsUrl'>): DynamoDBClient =>
  new DynamoDBClient({ endpoint: awsUrl, region: 'us-east-1', credentials });

async function namesIn({ awsUrl }: ServedCloud): Promise<Pick<SharedCloud, 'stateMachineArns' | 'tableName'>> {
  const stepFunctions = stepFunctionsOf({ awsUrl });
  const stateMachineArns = await machinesOf(stepFunctions);
  const tables = dynamodbOf({ awsUrl });
  const tableName = conversationsIn((await tables.send(new ListTablesCommand({}))).TableNames!);
  stepFunctions.destroy();
  tables.destroy();
  return { stateMachineArns, tableName };
}

/**
 * Returns a free port for a cloud's models, of which each story starts one there. Below those that systems give to others, because
 * it is free between stories.
 */
async function modelsPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const isFree = await new Promise<boolean>((resolve) => {
      const server = createPort().once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Notes what a cloud has cost a file of tests, for `cost-reporter.js`. */
function noteCost({ user, shared }: Cloud): void {
  const costs = process.env.VIGIL_TEST_COSTS;
  if (!user || !costs) return;
  const now = cpuSeconds(shared.pid);
  appendFileSync(costs, `${JSON.stringify([user.file, Math.max(0, now - user.noted)])}\n`);
  user.noted = now;
}
