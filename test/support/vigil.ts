import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type HistoryEvent, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { FinishedEvent } from '../../core/events';
import type { Table } from '../../core/store/table';
import { signIn, type User } from './api-client';
import { assembly } from './assembly';
import { executionsOf, historyOf, statesEntered } from './history';
import { type ModelServer, type Script, type Style, startModelServer } from './model-server';
import { conversationsIn, endCloud, serveCloud } from './served-cloud';

/** A whole Vigil as a user has it: the synthesized stack in a local cloud in a process of its own, and a scripted model. */
export interface Vigil {
  model: ModelServer;
  readonly url: string;
  readonly stepFunctions: SFNClient;
  readonly stateMachineArn: string;
  user(name?: string): Promise<User>;
  /** The moved clock's time. */
  now(): Promise<Date>;
  /** Moves the clock by an ISO 8601 duration. */
  advance(duration: string): Promise<void>;
  /** Asks for a fault: see `/_local/faults`. */
  fault(fault: Fault): Promise<void>;
  executions(runId: string): ReturnType<typeof executionsOf>;
  /** The executions once all have ended: a run says that it is done in its last step, an execution a moment later. */
  ended(runId: string): ReturnType<typeof executionsOf>;
  /** The histories of all segments, one after the other. */
  history(runId: string): Promise<HistoryEvent[]>;
  /** Of each segment. */
  histories(runId: string): Promise<HistoryEvent[][]>;
  states(runId: string): Promise<string[]>;
  /** All that the functions have logged. */
  logs(): string;
  /** All that was put on the event bus, as often as it was. */
  events(): PublishedEvent[];
  /** kill -9 of the whole local cloud. */
  kill(): Promise<void>;
  /** Starts it again on the same state; with another assembly or other variables, that is a deployment. */
  restart(newAssembly?: string, newVariables?: Record<string, string>): Promise<void>;
  /** The table as an administrator reaches it. */
  readonly table: Table;
  stop(): Promise<void>;
}

export interface Fault {
  function: string;
  kind: 'crash' | 'error' | 'throttle' | 'timeout' | 'kill';
  at: 'before' | 'after' | number;
  times?: number;
}

export type PublishedEvent = {
  bus: string;
  source: string;
  time: string;
  'detail-type': FinishedEvent['detailType'];
} & Pick<FinishedEvent, 'detail'>;

interface Options {
  script?: Script;
  style?: Style;
  /** More variables for the functions, such as VIGIL_MAX_STEPS. */
  variables?: Record<string, string>;
  /** Another deployment than the scenarios' own. */
  deployment?: string;
}

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export async function startVigil({
  script,
  style,
  variables = {},
  deployment = assembly,
}: Options = {}): Promise<Vigil> {
  const model = await startModelServer({ script, style });
  const state = mkdtempSync(join(tmpdir(), 'vigil-state-'));
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: 'sk-test',
    ...variables,
  };

  let deployed = deployment;
  let cloud = await serveCloud(deployed, state, environment);
  let stepFunctions = clientOf(cloud.awsUrl);
  const { stateMachines } = await stepFunctions.send(new ListStateMachinesCommand({}));
  const stateMachineArn = stateMachines!.find(({ name }) => name?.includes('AgentLoop'))!.stateMachineArn!;
  const tables = new DynamoDBClient({ endpoint: cloud.awsUrl, region: 'us-east-1', credentials });
  const tableName = conversationsIn((await tables.send(new ListTablesCommand({}))).TableNames!);
  tables.destroy();

  async function local(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${cloud.url}/_local/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/_local/${path}: ${answer.status} ${await answer.text()}`);
  }
  const executions = (runId: string) => executionsOf(stepFunctions, stateMachineArn, runId);
  async function ended(runId: string) {
    for (let attempt = 0; ; attempt++) {
      const all = await executions(runId);
      if (attempt === 200 || all.every(({ status }) => status !== 'RUNNING')) return all;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const histories = async (runId: string) =>
    Promise.all((await executions(runId)).map(({ executionArn }) => historyOf(stepFunctions, executionArn!)));
  const history = async (runId: string) => (await histories(runId)).flat();

  return {
    model,
    stateMachineArn,
    get url() {
      return cloud.url;
    },
    get stepFunctions() {
      return stepFunctions;
    },
    user: (name = 'ada') => signIn(cloud.url, name),
    now: async () => new Date(((await (await fetch(`${cloud.url}/_local/clock`)).json()) as { now: string }).now),
    advance: (duration) => local('clock', { advance: duration }),
    fault: (fault) => local('faults', { times: 1, ...fault }),
    executions,
    ended,
    history,
    histories,
    states: async (runId) => statesEntered(await history(runId)),
    logs: () => {
      const folder = join(state, 'logs');
      return readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('');
    },
    events() {
      const file = join(state, 'events.jsonl');
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      return lines.map((line) => JSON.parse(line) as PublishedEvent);
    },
    kill: () => endCloud(cloud, 'SIGKILL'),
    async restart(newAssembly, newVariables) {
      Object.assign(environment, newVariables);
      deployed = newAssembly ?? deployed;
      cloud = await serveCloud(deployed, state, environment);
      stepFunctions.destroy();
      stepFunctions = clientOf(cloud.awsUrl);
    },
    get table() {
      const raw = new DynamoDBClient({ endpoint: cloud.awsUrl, region: 'us-east-1', credentials });
      const client = DynamoDBDocumentClient.from(raw, { marshallOptions: { removeUndefinedValues: true } });
      return { client, name: tableName };
    },
    async stop() {
      stepFunctions.destroy();
      await endCloud(cloud, 'SIGTERM');
      await model.stop();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

const clientOf = (endpoint: string) => new SFNClient({ endpoint, region: 'us-east-1', credentials });
