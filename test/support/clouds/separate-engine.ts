import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from 'vigil-stepfunctions/shared';

/** A Step Functions engine in a separate process, which knows the local cloud only by its address. */
export interface SeparateEngine {
  /** For the local cloud: the engine's address, and the port where the engine expects the functions. */
  variables: { SFN_ENDPOINT: string; AWS_PORT: string };
  stop(): Promise<void>;
}

const root = join(__dirname, '../../..');

/** Starts `npm start -w vigil-stepfunctions` like Step Functions Local: configured by variables alone. */
export async function startSeparateEngine(): Promise<SeparateEngine> {
  const [port, awsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['--import', 'tsx', 'packages/stepfunctions/src/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      LAMBDA_ENDPOINT: `http://127.0.0.1:${awsPort}`,
      AWS_ACCOUNT_ID: '000000000000',
      AWS_DEFAULT_REGION: 'us-east-1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await ready(child);
  return {
    variables: { SFN_ENDPOINT: `http://127.0.0.1:${port}`, AWS_PORT: String(awsPort) },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function ready({ stdout }: ChildProcess): Promise<void> {
  for await (const line of createInterface({ input: stdout! })) if (line.startsWith('Step Functions on ')) return;
  throw new Error('The engine does not start.');
}
