import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { HistoryEvent, SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { FinishedEvent } from '../../core/live/events';
import type { Table } from '../../core/store/table';
import { signIn, type User } from './api-client';
import { assembly } from './assembly';
import { executionsOf, historyOf, statesEntered } from './history';
import type { ModelServer, Script, Style } from './model-server';
import { dynamodbOf } from './shared-clouds';
import { leaveProcess, takeProcess } from './vigil-process';

/** A whole Vigil: the synthesized stack in a local cloud in a separate process, and a scripted model. */
export interface Vigil {
  model: ModelServer;
  readonly url: string;
  /** The cloud's process. */
  readonly pid: number;
  readonly stepFunctions: SFNClient;
  readonly stateMachineArn: string;
  user(name?: string, groups?: string[]): Promise<User>;
  /** Returns the id of the user that the story calls by this name. */
  idOf(name: string): string;
  /** Returns the moved clock's time. */
  now(): Promise<Date>;
  /** Moves the clock by an ISO 8601 duration. */
  advance(duration: string): Promise<void>;
  /** Injects a fault (see `/_local/faults`). */
  fault(fault: Fault): Promise<void>;
  executions(runId: string): ReturnType<typeof executionsOf>;
  /** Returns the executions once all have ended. A run is done in its last step, its execution a moment later. */
  ended(runId: string): ReturnType<typeof executionsOf>;
  /** Returns the histories of all segments, one after the other. */
  history(runId: string): Promise<HistoryEvent[]>;
  /** Returns the history of each segment. */
  histories(runId: string): Promise<HistoryEvent[][]>;
  states(runId: string): Promise<string[]>;
  /** Returns everything that the functions have logged. */
  logs(): string;
  /** Returns the terminal's output since the story, or the last restart, began. */
  terminal(): string;
  /** Returns every event put on the event bus, with repeats. */
  events(): PublishedEvent[];
  /** Kills the whole local cloud with kill -9. */
  kill(): Promise<void>;
  /** Deploys another assembly while it runs. */
  deploy(newAssembly: string): Promise<void>;
  /** Starts it again on the same state. Another assembly or other variables make this a deployment. */
  restart(newAssembly?: string, newVariables?: Record<string, string>): Promise<void>;
  /** Kills it, removes all that Step Functions has, and starts it again. */
  loseExecutions(): Promise<void>;
  /** Invokes a function by the output that has its name. Returns its answer, or the error. */
  invoke(output: string, payload: object): Promise<unknown>;
  /** The table, with an administrator's rights. */
  readonly table: Table;
  /** Ends the story. Its active work is stopped. */
  stop(): Promise<void>;
}

export interface Fault {
  function: string;
  kind: 'crash' | 'error' | 'throttle' | 'timeout' | 'kill';
  at: 'before' | 'after' | 'now' | number;
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
  /** Whether the cloud must be new. */
  isAlone?: boolean;
}

/** Stories of all files share processes. Each has its own users, requests, logs and events. */
export async function startVigil({
  script,
  style,
  variables = {},
  deployment = assembly,
  isAlone,
}: Options = {}): Promise<Vigil> {
  const vigil = await takeProcess(
    // A title would be one more request in every script.
    { assembly: deployment, variables: { VIGIL_TITLES: 'off', ...variables } },
    isAlone,
  );
  const { model } = vigil;
  const { state, stories, stateMachineArns, tableName } = vigil.cloud;
  model.begin({ script, style });
  const loggedBefore = sizesOf(join(state, 'logs'));
  let saidBefore = statSync(vigil.cloud.terminal).size;
  const publishedBefore = linesOf(join(state, 'events.jsonl')).length;

  const idOf = (name: string) => (stories === 1 ? name : `${name}.${stories}`);
  const stateMachineArn = stateMachineArns.find((arn) => arn.includes('AgentLoop'))!;

  async function local(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${vigil.cloud.url}/_local/${path}`, init);
    if (!answer.ok) throw new Error(`/_local/${path}: ${answer.status} ${await answer.text()}`);
  }
  const executions = (runId: string) => executionsOf(vigil.stepFunctions, stateMachineArn, runId);
  async function ended(runId: string) {
    for (let attempt = 0; ; attempt++) {
      const all = await executions(runId);
      if (attempt === 2_000 || all.every(({ status }) => status !== 'RUNNING')) return all;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  const histories = async (runId: string) =>
    Promise.all((await executions(runId)).map(({ executionArn }) => historyOf(vigil.stepFunctions, executionArn!)));
  const history = async (runId: string) => (await histories(runId)).flat();

  async function restart(newAssembly?: string, newVariables?: Record<string, string>) {
    saidBefore = 0;
    await vigil.restart(newAssembly, newVariables);
  }

  return {
    model,
    stateMachineArn,
    get url() {
      return vigil.cloud.url;
    },
    get pid() {
      return vigil.cloud.pid;
    },
    get stepFunctions() {
      return vigil.stepFunctions;
    },
    idOf,
    user: (name = 'ada', groups?) => signIn(vigil.cloud.url, idOf(name), groups),
    now: async () => new Date(((await (await fetch(`${vigil.cloud.url}/_local/clock`)).json()) as { now: string }).now),
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
        .map((file) =>
          readFileSync(join(folder, file))
            .subarray(loggedBefore.get(file) ?? 0)
            .toString(),
        )
        .join('');
    },
    terminal: () => readFileSync(vigil.cloud.terminal).subarray(saidBefore).toString(),
    events: () =>
      linesOf(join(state, 'events.jsonl'))
        .slice(publishedBefore)
        .map((line) => JSON.parse(line) as PublishedEvent),
    kill: () => vigil.kill(),
    deploy: (newAssembly) => vigil.deploy(newAssembly),
    restart,
    async loseExecutions() {
      await vigil.kill();
      rmSync(join(state, 'stepfunctions'), { recursive: true });
      await restart();
    },
    async invoke(output, payload) {
      const health = await fetch(`${vigil.cloud.url}/_local/health`);
      const { outputs } = (await health.json()) as { outputs: Record<string, string> };
      const lambda = new LambdaClient({
        ...{ endpoint: vigil.cloud.awsUrl, region: 'us-east-1', maxAttempts: 1 },
        credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      });
      const command = new InvokeCommand({ FunctionName: outputs[output], Payload: JSON.stringify(payload) });
      const { Payload } = await lambda.send(command);
      lambda.destroy();
      return JSON.parse(Buffer.from(Payload!).toString());
    },
    get table() {
      const client = DynamoDBDocumentClient.from(dynamodbOf(vigil.cloud), {
        marshallOptions: { removeUndefinedValues: true },
      });
      return { client, name: tableName };
    },
    stop: () => leaveProcess(vigil),
  };
}

const sizesOf = (folder: string): Map<string, number> =>
  new Map(existsSync(folder) ? readdirSync(folder).map((file) => [file, statSync(join(folder, file)).size]) : []);

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
