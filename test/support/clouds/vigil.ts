import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../../core/conversations/store/table';
import { type Vigil as PublishedVigil, vigilOf } from '../../../package/testing/vigil';
import type { Script, Style } from '../servers/model-server';
import { assembly } from './assembly';
import { dynamodbOf } from './shared-clouds';
import { leaveProcess, takeProcess } from './vigil-process';

/** What `vigil/testing` publishes, and what only this repository's stories use. The cloud is shared. */
export interface Vigil extends PublishedVigil {
  /** The cloud's process. */
  readonly pid: number;
  readonly stepFunctions: SFNClient;
  readonly stateMachineArn: string;
  /** Returns the id of the user that the story calls by this name. */
  idOf(name: string): string;
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
}

export type { FunctionFault as Fault } from '../../../package/testing/fault';
export type { PublishedEvent } from '../../../package/testing/vigil';

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
    // A title would be one more request in every script, and an embedding one more function for every message.
    { assembly: deployment, variables: { VIGIL_TITLES: 'off', VIGIL_EMBED_MESSAGES: 'off', ...variables } },
    isAlone,
  );
  const { model } = vigil;
  const { state, stories, stateMachineArns, tableName } = vigil.cloud;
  model.begin({ script, style });
  const stateMachineArn = stateMachineArns.find((arn) => arn.includes('AgentLoop'))!;
  const idOf = (name: string) => (stories === 1 ? name : `${name}.${stories}`);
  let next: Parameters<typeof vigil.restart> = [];
  const story = vigilOf({
    get cloud() {
      return vigil.cloud;
    },
    get stepFunctions() {
      return vigil.stepFunctions;
    },
    model,
    state,
    agentLoop: stateMachineArn,
    idOf,
    kill: () => vigil.kill(),
    restart: () => vigil.restart(...next),
    stop: () => leaveProcess(vigil),
  });
  function restart(...deployed: Parameters<typeof vigil.restart>) {
    next = deployed;
    return story.restart();
  }

  return {
    ...story,
    // The address differs after a restart.
    get url() {
      return vigil.cloud.url;
    },
    get pid() {
      return vigil.cloud.pid;
    },
    get stepFunctions() {
      return vigil.stepFunctions;
    },
    stateMachineArn,
    idOf,
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
        endpoint: vigil.cloud.awsUrl,
        region: 'us-east-1',
        maxAttempts: 1,
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
  };
}
