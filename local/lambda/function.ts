import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../app/faults';
import { AwsError } from '../aws/aws-error';
import type { Resource } from '../template/template';
import { answer, faulty, type InvokeResult, payloadLimit, throttled } from './answer';
import { reservationOf } from './concurrency';
import { lambdaEnvironment, memoryMb } from './environment';
import { failuresIn } from './failure-text';
import type { LambdaOptions } from './lambda';
import { type Pool, type RunResult, startPool } from './pool';

/** The output of one function: `<state>/logs/<Function>.log`. Older output is in `<Function>.1.log`. */
interface LambdaLog {
  print(text: Buffer | string): void;
  stop(): void;
}

const rotateAt = 5_000_000;

/**
 * Opens the file at the first output, because most functions are never called in a session. Writes are synchronous,
 * which is many times faster than Node's thread pool.
 */
function openLambdaLog(stateDirectory: string, name: string): LambdaLog {
  let file: number | undefined;
  let stopped = false;
  return {
    print(text) {
      if (stopped) return;
      try {
        file ??= openFile(join(stateDirectory, 'logs'), name);
        writeSync(file, typeof text === 'string' ? Buffer.from(text) : text);
      } catch {
        // A full disk must not stop the functions.
      }
    },
    stop() {
      stopped = true;
      if (file !== undefined) closeSync(file);
    },
  };
}

function openFile(folder: string, name: string): number {
  const path = join(folder, `${name}.log`);
  mkdirSync(folder, { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAt) renameSync(path, join(folder, `${name}.1.log`));
  return openSync(path, 'a');
}

/** One function: its sandboxes, its log and its faults. */
export interface LambdaFunction {
  lambda: Resource;
  invoke(payload: string, wanted?: AbortSignal): Promise<InvokeResult>;
  /** Kills the workers that are running it. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The limit of threads per function. More events wait, as with reserved concurrency. */
const sandboxCap = 16;

/** `code` is the worker's code (see `workerCode`). */
export function openFunction(lambda: Resource, code: string, options: LambdaOptions): LambdaFunction {
  const { ref: functionName, properties } = lambda;
  const log = openLambdaLog(options.stateDirectory, lambda.name);
  let stopped = false;
  const reserved = reservationOf(lambda);
  const timeoutSeconds = Number(properties.Timeout ?? 3);
  const [file, handler] = handlerOf(lambda);
  const credentials = options.credentialsOf(lambda);
  const setup = {
    file,
    handler,
    functionName,
    offset: options.offset,
    codeCache: options.codeCache,
    functionArn: String(lambda.attributes.Arn),
    memoryMb: memoryMb(lambda),
  };
  const environment = lambdaEnvironment(lambda, { ...options, credentials });
  const print = (text: Buffer | string) => {
    log.print(text);
    for (const failure of failuresIn(lambda.name, text.toString())) options.log?.(failure);
  };
  const pool = startPool({ code, setup, environment, print }, sandboxCap);

  return {
    lambda,
    async invoke(payload, wanted) {
      if (Buffer.byteLength(payload) > payloadLimit) {
        throw new AwsError('RequestTooLargeException', `Request must be smaller than ${payloadLimit} bytes`, 413);
      }
      if (reserved !== undefined && pool.active() >= reserved) throw throttled();
      const fault = options.faults.take(functionName);
      const invocation = { requestId: randomUUID(), payload, timeoutMs: timeoutSeconds * 1_000 };
      const passed = options.boundaries?.invocation(lambda.name);
      const result = await runWith(fault, pool, invocation, wanted);
      report(log, invocation.requestId, result);
      const broken = breakdown(lambda.name, result, timeoutSeconds);
      if (broken && !stopped) options.log?.(broken);
      passed?.();
      if (fault?.kind === 'kill') options.faults.die();
      if (fault) return faulty(fault, invocation.requestId, timeoutSeconds);
      return answer(result, invocation.requestId, timeoutSeconds);
    },
    crash: pool.crash,
    async stop() {
      // Workers killed because the cloud stops are not reported as failures.
      stopped = true;
      await pool.stop();
      log.stop();
    },
  };
}

function handlerOf(lambda: Resource): [file: string, handler: string] {
  const [, path, handler] = /^(.*)\.([^.]+)$/.exec(String(lambda.properties.Handler)) ?? [];
  if (!path || !handler || !lambda.assetPath)
    throw new Error(`The function ${lambda.logicalId} has no handler in a bundle.`);
  const isPython = String(lambda.properties.Runtime).startsWith('python');
  const candidates = (isPython ? ['.py'] : ['.js', '.mjs', '.cjs']).map((extension) =>
    join(String(lambda.assetPath), path + extension),
  );
  const file = candidates.find((candidate) => existsSync(candidate));
  if (file) return [file, handler];
  throw new Error(`The bundle of ${lambda.logicalId} is missing: ${candidates[0]}.`);
}

async function runWith(
  fault: Fault | undefined,
  pool: Pool,
  invocation: Parameters<Pool['run']>[0],
  wanted?: AbortSignal,
): Promise<RunResult | undefined> {
  if (fault?.at === 'before') return undefined;
  return pool.run(invocation, typeof fault?.at === 'number' ? fault.at : undefined, wanted);
}

/** Returns a message if the function was terminated and so could not log it. */
function breakdown(name: string, result: RunResult | undefined, timeoutSeconds: number): string | undefined {
  if (result?.ending.kind === 'timed-out') return `${name}: timed out after ${timeoutSeconds} s`;
  return result?.ending.kind === 'exited' ? `${name}: its process ended (${result.ending.error.errorType})` : undefined;
}

function report(log: LambdaLog, requestId: string, result: RunResult | undefined): void {
  if (!result) return;
  const load = result.loadMs === undefined ? '' : ` Init Duration: ${result.loadMs.toFixed(1)} ms`;
  // Nothing waits on AWS. Here it shows how far the machine is behind.
  const waited = ` Waited: ${result.waitedMs.toFixed(1)} ms`;
  log.print(
    `REPORT RequestId: ${requestId} Duration: ${result.durationMs.toFixed(1)} ms${load}${waited} Status: ${result.ending.kind}\n`,
  );
}
