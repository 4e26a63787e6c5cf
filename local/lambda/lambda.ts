import { setTimeout as sleep } from 'node:timers/promises';
import type { Boundaries } from '../app/boundaries';
import type { Faults } from '../app/faults';
import { AwsError } from '../aws/aws-error';
import type { Clock } from '../clock';
import type { Resource } from '../template/template';
import type { Destination } from '../undelivered';
import type { InvokeResult } from './answer';
import type { Credentials } from './environment';
import { openFunction } from './function';
import { openInvokeLater } from './invoke-later';
import { workerCode } from './sandbox';

/** The functions of the template, by name or ARN. */
export interface Lambda {
  /** Resolves with what the function answered or failed with; rejects with an `AwsError` where the service itself refuses. */
  invoke(functionName: string, payload: string, signal?: AbortSignal): Promise<InvokeResult>;
  /** Queues an event, see `openInvokeLater`. */
  invokeLater(functionName: string, payload: string): void;
  /** Resolves once no function has been at work for a moment, or after so many milliseconds. */
  quiet(withinMs: number): Promise<void>;
  /** The function that a name or ARN means, if there is one. */
  find(functionName: string): Resource | undefined;
  stop(): Promise<void>;
}

export interface LambdaOptions {
  functions: readonly Resource[];
  stateDirectory: string;
  region: string;
  awsUrl: string;
  credentialsOf: (lambda: Resource) => Credentials;
  variables: Readonly<Record<string, string>>;
  /** See `EnvironmentOptions`. */
  addressOf?: (value: string) => string;
  /** See `WorkerSetup`. */
  offset: SharedArrayBuffer;
  clock: Clock;
  faults: Faults;
  boundaries?: Boundaries;
  /** Where the events of an asynchronous invocation go that are given up. */
  onFailure?: (lambda: Resource) => Destination | undefined;
}

/** Between two tasks of an execution no function is at work either: quiet is what lasts a few looks. */
const QUIET_LOOKS = 4;
const QUIET_LOOK_MS = 5;

export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  const code = await workerCode();
  const opened = await Promise.all(options.functions.map((lambda) => openFunction(lambda, code, options)));
  const functions = new Map(opened.map((one) => [one.lambda.ref, one]));
  let stopped = false;
  let atWork = 0;

  const find = (functionName: string) => functions.get(bareName(functionName));
  const invoke: Lambda['invoke'] = async (functionName, payload, signal) => {
    const found = find(functionName);
    if (!found) throw new AwsError('ResourceNotFoundException', `Function not found: ${functionName}`, 404);
    signal?.throwIfAborted();
    atWork++;
    const work = found.invoke(payload).finally(() => atWork--);
    // Who stops waiting does not stop the function: neither does StopExecution on AWS.
    const result = await untilAborted(work, signal);
    if (stopped) throw new AwsError('ServiceException', 'The local cloud is stopping.', 500);
    return result;
  };
  const findResource = (functionName: string) => find(functionName)?.lambda;
  const { clock, onFailure } = options;
  return {
    find: findResource,
    invoke,
    invokeLater: openInvokeLater({ invoke, find: findResource, onFailure, clock, hasStopped: () => stopped }),
    async quiet(withinMs) {
      const end = performance.now() + withinMs;
      for (let calm = 0; calm < QUIET_LOOKS && performance.now() < end; ) {
        calm = atWork === 0 ? calm + 1 : 0;
        await sleep(QUIET_LOOK_MS);
      }
    },
    async stop() {
      stopped = true;
      await Promise.all(opened.map((one) => one.stop()));
    },
  };
}

function bareName(functionName: string): string {
  const arn = /^(?:arn:aws:lambda:[^:]+:\d+:)?(?:\d+:)?function:([^:]+)/.exec(functionName);
  return arn?.[1] ?? functionName.split(':')[0] ?? '';
}

/** Rejects as soon as the signal aborts, and leaves no listener on it otherwise. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
