import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainBundle } from './plain-bundle';

/**
 * The engine's figures, measured like those of other engines: the model and the tool answer at once with about 500
 * bytes.
 */
export interface EngineFigures {
  /** One run after another, 20 durable steps each: median milliseconds per step. */
  msPerStep: number;
  /** 500 runs, 50 at a time: durable steps per second. */
  stepsPerSecond: number;
  /** 10,000 runs make one step and sleep an hour: seconds until all of them sleep. */
  sleepersAsleepSeconds: number;
  /** The proportional set size of the whole process at that point. */
  sleepersMiB: number;
  /** After kill -9: from the start of the process to its first answer, and until all runs sleep again. */
  restartAnswersSeconds: number;
  restartAsleepSeconds: number;
  /** The time until the last one has woken, finished and been reported, after their hour has passed at once. */
  wakeSeconds: number;
  /** From the answer to a task token until the run has finished: median of 100. */
  callbackMs: number;
}

/** The median of three. */
const repeats = 3;

/** Runs the engine in separate processes, with fsync, in a temporary folder. Takes about half a minute. */
export async function engineBench({ sleepers = 10_000 }: { sleepers?: number } = {}): Promise<EngineFigures> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'vigil-bench-'));
  const script = plainBundle('engine-host', { entryPoints: [path.join(__dirname, 'engine-host.ts')] });
  try {
    const steps: Answer[] = [];
    for (let i = 0; i < repeats; i += 1) {
      steps.push(await inProcess(script, path.join(scratch, `steps-${i}`), 'steps', {}));
    }
    const median = (name: string) => middle(steps.map((each) => each[name]!));
    return {
      msPerStep: median('msPerStep'),
      stepsPerSecond: median('stepsPerSecond'),
      ...(await sleep(script, path.join(scratch, 'sleepers'), sleepers)),
      callbackMs: median('callbackMs'),
    };
  } finally {
    rmSync(script, { force: true });
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Answer = Record<string, number>;

interface Host {
  child: ChildProcess;
  ask(what: string, parameters: object): Promise<Answer>;
}

function start(script: string, directory: string): Host {
  const child = fork(script, [directory], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  return {
    child,
    ask: (what, parameters) =>
      new Promise((resolve, reject) => {
        child.once('message', (message) => resolve(message as Answer));
        child.once('exit', (code, signal) => reject(new Error(`the engine's process ended: ${code ?? signal}`)));
        child.send({ what, parameters });
      }),
  };
}

async function inProcess(script: string, directory: string, what: string, parameters: object): Promise<Answer> {
  const host = start(script, directory);
  try {
    return await host.ask(what, parameters);
  } finally {
    await kill(host.child);
  }
}

async function sleep(script: string, directory: string, count: number) {
  const first = start(script, directory);
  await first.ask('idle', {});
  const { seconds } = await first.ask('sleepers', { count });
  const sleepersMiB = memory(first.child.pid!);
  await kill(first.child);
  const restarts: { answers: number; again: number }[] = [];
  for (let i = 0; i < repeats; i += 1) {
    const { host, ...measured } = await restart(script, directory, count);
    restarts.push(measured);
    if (i < repeats - 1) await kill(host.child);
    else {
      const woken = await host.ask('wake', { count }).finally(() => kill(host.child));
      const median = (of: 'answers' | 'again') => rounded(middle(restarts.map((each) => each[of])) / 1000, 3);
      return {
        sleepersAsleepSeconds: rounded(seconds!, 2),
        sleepersMiB,
        restartAnswersSeconds: median('answers'),
        restartAsleepSeconds: median('again'),
        wakeSeconds: rounded(woken.seconds!, 2),
      };
    }
  }
  throw new Error('There were no repeats.');
}

/** Starts the engine on the state of a previous one. Times are in milliseconds since the start of the process. */
async function restart(script: string, directory: string, count: number) {
  const begun = performance.now();
  const host = start(script, directory);
  await host.ask('idle', {});
  const answers = performance.now() - begun;
  await host.ask('asleep', { count });
  return { host, answers, again: performance.now() - begun };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.removeAllListeners('message');
  child.kill('SIGKILL');
  await ended;
}

/** Returns the proportional set size in MiB, or 0 if the system does not report it. */
function memory(pid: number): number {
  try {
    return rounded(Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024, 1);
  } catch {
    return 0;
  }
}

const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

if (require.main === module) {
  const sleepers = Number(process.argv[2] ?? 10_000);
  void engineBench({ sleepers }).then((figures) => console.log(JSON.stringify(figures)));
}
