import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { actions } from './api/actions';
import { ApiError } from './api/api-error';
import { parametersOf } from './api/parameters';
import type { Clock } from './clock/clock';
import { movedClock } from './clock/moved-clock';
import { Engine } from './engine/engine';
import { readMocks } from './engine/mocks';
import type { ExecutionStatusChange } from './engine/status-events';
import { lockFolder } from './folder-lock';
import { type Authorize, authorization } from './integrations/authorize';
import type { CallAws } from './integrations/aws-service';
import type { InvokeLambda } from './integrations/lambda';
import { integrations } from './integrations/registry';
import type { Json } from './language/json';

export type { ExecutionStatusChange } from './engine/status-events';
export type { AuthorizationRequest, Authorize } from './integrations/authorize';
export type { AwsRequest, CallAws } from './integrations/aws-service';
export type { InvokeLambda, LambdaAnswer, LambdaRequest } from './integrations/lambda';

export interface StepFunctionsOptions {
  /** The folder of the journal, for one engine at a time. Without it everything is forgotten at the end. */
  directory?: string;
  /** Default: the machine's time. */
  clock?: Clock;
  /** Default `123456789012`. */
  accountId?: string;
  /** Default `us-east-1`. */
  region?: string;
  services: Services;
  /**
   * Is told about each execution's start and end as EventBridge would be: in this order, at least once, also after a crash;
   * again with a back-off for as long as it rejects.
   */
  onStatusChange?: (event: ExecutionStatusChange) => Promise<void>;
  /** Called before a Task state calls a service. Throws where the role may not; the task then fails as on AWS. */
  authorize?: Authorize;
  /** Path of a mock configuration file of the official Step Functions Local. */
  mockConfiguration?: string;
  /** Wait states of new executions last this part of what they say; for tests. Default 1. */
  waitTimeScale?: number;
  /** The time that finished executions remain available, in days. Default 90, as on AWS. */
  retentionDays?: number;
  /** The size of a segment of the journal, in bytes. Default 32 MiB. */
  segmentSize?: number;
  /**
   * For tests that end the process at a certain moment: called with each record's kind before it goes to the journal. What it returns, if
   * anything, is called when the record is on disk, and before its effects are let out.
   */
  passing?: (record: string) => (() => void) | undefined;
  /** Gets a line where something is worth knowing: a torn journal, say. Default: standard error. */
  log?: (line: string) => void;
}

/** The functions with which tasks call services. */
export interface Services {
  /** Throws errors with the service's own names: ResourceNotFoundException, TooManyRequestsException … */
  invokeLambda: InvokeLambda;
  /** Every other service. Without it, only functions, activities and other executions can be called. */
  callAws?: CallAws;
}

export interface StepFunctions {
  /**
   * The wire protocol without HTTP: an action and its body in AWS JSON 1.0. Errors are `{__type, message}` with a status of 400 or
   * 500. Never rejects. `signal` ends a call that waits (GetActivityTask) for a caller that has gone.
   */
  call(action: string, body: unknown, signal?: AbortSignal): Promise<{ status: number; body: unknown }>;
  /**
   * Whether nothing is under way: everything is on disk, no service is being called, and executions wait only for a time, a token,
   * an activity or another execution.
   */
  isIdle(): boolean;
  /** Ends the engine; what was under way is taken up by the next one on the same folder. */
  stop(): Promise<void>;
}

/**
 * Starts a Step Functions engine inside this process. Several can run side by side.
 *
 * Resolves when everything that an earlier engine left in the folder can be asked for; interrupted tasks are dispatched
 * again in the background. Rejects where the folder cannot be read or written, or another engine uses it.
 *
 * @example
 * ```ts
 * import { startStepFunctions } from 'vigil-stepfunctions';
 *
 * const engine = await startStepFunctions({
 *   services: { invokeLambda: async ({ payload }) => ({ payload: `{"greeted":${payload}}` }) },
 * });
 * const resource = 'arn:aws:lambda:us-east-1:123456789012:function:greet';
 * const definition = `{"StartAt":"Greet","States":{"Greet":{"Type":"Task","Resource":"${resource}","End":true}}}`;
 * const roleArn = 'arn:aws:iam::123456789012:role/any';
 * await engine.call('CreateStateMachine', { name: 'greeter', type: 'EXPRESS', definition, roleArn });
 *
 * const stateMachineArn = 'arn:aws:states:us-east-1:123456789012:stateMachine:greeter';
 * const { body } = await engine.call('StartSyncExecution', { stateMachineArn, input: '"Ada"' });
 * (body as { output: string }).output; // → '{"greeted":"Ada"}'
 * await engine.stop();
 * ```
 */
export async function startStepFunctions(options: StepFunctionsOptions): Promise<StepFunctions> {
  if (options.directory === undefined) return start(options);
  const { release } = await locked(path.resolve(options.directory));
  try {
    const engine = start(options);
    return { ...engine, stop: () => engine.stop().finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

function locked(folder: string) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be made: ${(error as Error).message}`);
  }
  return lockFolder(
    folder,
    (owner) => `${folder} is in use by another engine (process ${owner}): stop that one, or take another folder.`,
  );
}

function start(options: StepFunctionsOptions): StepFunctions {
  const integration = integrations(options.services.invokeLambda, options.services.callAws, actions);
  const engine = new Engine({
    directory: options.directory,
    clock: options.clock ?? movedClock(),
    accountId: options.accountId ?? '123456789012',
    region: options.region ?? 'us-east-1',
    retention: (options.retentionDays ?? 90) * 86_400_000,
    integration,
    waitScale: options.waitTimeScale,
    segmentSize: options.segmentSize,
    passing: options.passing,
    mocks: options.mockConfiguration === undefined ? undefined : readMocks(options.mockConfiguration),
    authorize: authorization(options.authorize, options.region ?? 'us-east-1', options.accountId ?? '123456789012'),
    onStatusChange: options.onStatusChange,
    log: options.log ?? ((line) => process.stderr.write(`${line}\n`)),
  });
  engine.resume();
  return {
    async call(name, body, signal) {
      try {
        const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
        if (action === undefined)
          throw new ApiError('UnknownOperationException', `This engine does not know the action ${name}`);
        const parameters = parametersOf(body as Json | undefined);
        return { status: 200, body: await engine.unlessFailing(() => action(engine, parameters, signal)) };
      } catch (error) {
        if (error instanceof ApiError)
          return { status: error.status, body: { __type: error.type, message: error.message } };
        return { status: 500, body: { __type: 'InternalFailure', message: String((error as Error).stack ?? error) } };
      }
    },
    isIdle: () => engine.isIdle(),
    stop: () => engine.stop(),
  };
}
