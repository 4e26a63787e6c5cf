import type { Clock } from 'vigil-stepfunctions';
import type { AnsweredTools } from '../app/answered';
import type { Boundaries } from '../app/boundaries';
import type { Faults } from '../app/faults';
import { AwsError } from '../aws/aws-error';
import type { Resource } from '../template/template';
import type { Destination } from '../undelivered';
import { type InvokeResult, throttled } from './answer';
import { reservationOf } from './concurrency';
import { type Credentials, lambdaEnvironment } from './environment';
import { type LambdaFunction, openFunction } from './function';
import { bareName } from './function-name';
import { openInvokeLater } from './invoke-later';
import { workerCode } from './sandbox';

/** The functions of the template, by name or ARN. */
export interface Lambda {
  /**
   * Resolves with the function's result or failure. Rejects with an `AwsError` if the service itself rejects the
   * request.
   *
   * @param signal rejects at once. The function runs on.
   * @param wanted rejects if the function has not begun, and then it never does. Nothing waits to begin on AWS, so only
   *   a caller that has gone uses this.
   */
  invoke(functionName: string, payload: string, signal?: AbortSignal, wanted?: AbortSignal): Promise<InvokeResult>;
  /** Queues an event (see `openInvokeLater`). */
  invokeLater(functionName: string, payload: string): void;
  /** The number of events in progress. */
  atWork(): number;
  /** Kills the workers that are running a function. */
  crash(functionName: string): Promise<void>;
  /** Returns the function with this name or ARN, if there is one. */
  find(functionName: string): Resource | undefined;
  /** Switches to these functions. A function that was changed or removed finishes its events with the old code. */
  deploy(next: Functions): void;
  stop(): Promise<void>;
}

type Functions = Pick<LambdaOptions, 'functions' | 'variables' | 'addressOf' | 'unreserved'>;

export interface LambdaOptions {
  functions: readonly Resource[];
  /** See `WorkerSetup`. */
  codeCache: string;
  stateDirectory: string;
  region: string;
  awsUrl: string;
  credentialsOf: (lambda: Resource) => Credentials;
  variables: Readonly<Record<string, string>>;
  /** See `EnvironmentOptions`. */
  addressOf?: (value: string) => string;
  /** The number of functions without a reservation that may run at once. Default: any number. */
  unreserved?: number;
  /** See `WorkerSetup`. */
  offset: SharedArrayBuffer;
  clock: Clock;
  faults: Faults;
  boundaries?: Boundaries;
  /** Answers instead of a function. */
  answered?: Pick<AnsweredTools, 'answerTo'>;
  /** Receives the functions' logged failures, in words for people. */
  log?: (line: string) => void;
  /** Returns the destination of asynchronous events that fail. */
  onFailure?: (lambda: Resource) => Destination | undefined;
}

/** A function, with the settings that it was opened with. */
interface Deployed {
  fn: LambdaFunction;
  settings: string;
  atWork: number;
}

export async function startLambda(options: LambdaOptions): Promise<Lambda> {
  const code = await workerCode();
  let functions = new Map<string, Deployed>();
  const replaced = new Set<Deployed>();
  let stopped = false;
  let atWork = 0;
  /** Of functions without a reservation: how many may run at once, and how many do. */
  let unreserved = Number.POSITIVE_INFINITY;
  let sharing = 0;
  deploy(options);

  const find = (functionName: string) => functions.get(bareName(functionName));
  const invoke: Lambda['invoke'] = async (functionName, payload, signal, wanted) => {
    const found = find(functionName);
    if (!found) throw new AwsError('ResourceNotFoundException', `Function not found: ${functionName}`, 404);
    signal?.throwIfAborted();
    const share = reservationOf(found.fn.lambda) === undefined ? 1 : 0;
    if (share > 0 && sharing >= unreserved) throw throttled();
    sharing += share;
    atWork++;
    found.atWork++;
    const work = answerOf(found, payload, wanted).finally(() => {
      sharing -= share;
      atWork--;
      found.atWork--;
      if (replaced.has(found)) void endIdle(found);
    });
    // A caller that stops waiting does not stop the function, as with StopExecution on AWS.
    const result = await untilAborted(work, signal);
    if (stopped) throw new AwsError('ServiceException', 'The local cloud is stopping.', 500);
    return result;
  };
  const findResource = (functionName: string) => find(functionName)?.fn.lambda;
  const { clock, onFailure } = options;
  return {
    deploy,
    find: findResource,
    invoke,
    invokeLater: openInvokeLater({ invoke, find: findResource, onFailure, clock, hasStopped: () => stopped }),
    crash: async (functionName) => find(functionName)?.fn.crash(),
    atWork: () => atWork,
    async stop() {
      stopped = true;
      await Promise.all([...functions.values(), ...replaced].map(({ fn }) => fn.stop()));
    },
  };

  /** Another program may answer a tool's call. Its time is work, too, so that the clock waits for it. */
  async function answerOf({ fn }: Deployed, payload: string, wanted?: AbortSignal): Promise<InvokeResult> {
    return (await options.answered?.answerTo(fn.lambda.name, payload)) ?? fn.invoke(payload, wanted);
  }

  function deploy(next: Functions): void {
    const opened = next.functions.map((lambda) => keepOrOpen(lambda, { ...options, ...next }));
    unreserved = next.unreserved ?? Number.POSITIVE_INFINITY;
    const before = [...functions.values()];
    functions = new Map(opened.map((one) => [one.fn.lambda.ref, one]));
    for (const old of before.filter((one) => !opened.includes(one))) {
      replaced.add(old);
      void endIdle(old);
    }
  }

  function keepOrOpen(lambda: Resource, now: LambdaOptions): Deployed {
    const environment = lambdaEnvironment(lambda, { ...now, credentials: now.credentialsOf(lambda) });
    // The asset's path contains the hash of the code.
    const settings = JSON.stringify([lambda.properties, lambda.assetPath, environment]);
    const known = functions.get(lambda.ref);
    return known?.settings === settings ? known : { fn: openFunction(lambda, code, now), settings, atWork: 0 };
  }

  async function endIdle(old: Deployed): Promise<void> {
    if (old.atWork > 0) return;
    replaced.delete(old);
    await old.fn.stop();
  }
}

/** Rejects as soon as the signal aborts. Otherwise leaves no listener on it. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
