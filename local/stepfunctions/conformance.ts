import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { movedClock } from '../moved-clock';
import { serveHttp } from './http';
import { httpServices } from './http-services';
import { startStepFunctions } from './index';
import { readSettings } from './settings';

/** Where the recordings are looked for: beside the project. */
const recordings = path.resolve(__dirname, '../../../shared/conformance');
/** Its stand-in for Lambda and the other services listens here. */
const services = 'http://127.0.0.1:4571';
/** Percent that have to agree: status and error, output, events. */
const bar = { L1: 98, L2: 98, L3: 95 };

/** Runs the executions recorded on AWS against this engine and prints the comparison. Resolves to the exit status. */
async function main(): Promise<number> {
  const script = path.join(recordings, 'run.mjs');
  if (!existsSync(script)) {
    console.log('No recordings beside the project: nothing to compare with.');
    return 0;
  }
  const clock = movedClock();
  const env = Object.fromEntries(
    ['LAMBDA', 'DYNAMODB', 'SQS', 'SNS', 'EVENTS', 'S3', 'SECRETSMANAGER'].map((name) => [
      `${name}_ENDPOINT`,
      services,
    ]),
  );
  const engine = await startStepFunctions({ clock, services: httpServices(readSettings(env)) });
  const endpoint = await serveHttp(engine, 0);
  try {
    const runner = spawn(
      process.execPath,
      [realpathSync(script), '--endpoint', endpoint.url, ...process.argv.slice(2)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
        cwd: path.resolve(__dirname, '../..'),
      },
    );
    const total = /^TOTAL .*/m.exec(await printed(runner))?.[0] ?? '';
    const short = Object.entries(bar).filter(([level, least]) => !(percent(total, level) >= least));
    for (const [level, least] of short)
      console.log(`Below the bar: ${level} ${percent(total, level)} %, at least ${least} % wanted.`);
    return short.length === 0 ? 0 : 1;
  } finally {
    await endpoint.close();
    await engine.stop();
    clock.stop();
  }
}

const percent = (total: string, level: string): number => Number(new RegExp(`${level} ([\\d.]+)%`).exec(total)?.[1]);

async function printed(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk;
    process.stdout.write(chunk);
  });
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}

void main().then((status) => process.exit(status));
