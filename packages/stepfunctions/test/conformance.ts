import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { movedClock } from '../src/clock/moved-clock';
import { freePort } from '../src/free-port';
import { serveHttp } from '../src/http';
import { httpServices } from '../src/http-services';
import { readSettings } from '../src/settings';
import { startStepFunctions } from '../src/start';

/** The path of the recordings, beside the project. */
const recordings = path.resolve(__dirname, '../../../../shared/conformance');
/**
 * The minimum number of recordings that must agree. Counts and not shares, so that recordings that are added cannot fail what
 * passes today. Raise them with every case that begins to agree.
 */
const bar = { status: 531, output: 387, cause: 128, events: 336, details: 378 };
type Level = keyof typeof bar;
/** Some of the recordings only, as the options choose: no bar. */
const part = process.argv.length > 2;

/** Runs the executions recorded on AWS against this engine and prints the comparison. Resolves to the exit status. */
async function main(): Promise<number> {
  const script = path.join(recordings, 'run.mjs');
  if (!existsSync(script)) {
    console.log('No recordings beside the project: nothing to compare with.');
    return 0;
  }
  const clock = movedClock();
  // Its stand-in for Lambda and the other services listens here.
  const port = await freePort();
  const services = `http://127.0.0.1:${port}`;
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
      [realpathSync(script), '--endpoint', endpoint.url, '--services-port', String(port), ...process.argv.slice(2)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
        cwd: path.resolve(__dirname, '../../..'),
      },
    );
    const [status, output, cause, events, details] = agreeing(await printed(runner));
    const short = Object.entries({ status, output, cause, events, details }).filter(
      ([level, n = 0]) => !part && n < bar[level as Level],
    );
    for (const [level, n = 0] of short)
      console.log(`Below the bar: ${level} agrees in ${n} recordings, at least ${bar[level as Level]} wanted.`);
    return short.length === 0 ? 0 : 1;
  } finally {
    await endpoint.close();
    await engine.stop();
    clock.stop();
  }
}

/** Returns the numbers of recordings that agree, by level, from the runner's totals: status, output, cause, events, details. */
const agreeing = (report: string): number[] =>
  [...(/^total .*/m.exec(report)?.[0] ?? '').matchAll(/(\d+)\/\d+/g)].map(([, n]) => Number(n));

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
