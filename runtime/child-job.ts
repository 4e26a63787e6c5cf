import { type ChildProcess, spawn } from 'node:child_process';
import { parentPort, workerData } from 'node:worker_threads';
import { asError } from '../core/base/text/thrown';

interface Job<Input, Output> {
  /** The file that defines the job: `__filename`. In a bundle that is the bundle. */
  file: string;
  name: string;
  /** The largest heap of the thread, and the part of it for new objects. */
  heapMiB: number;
  youngMiB?: number;
  /** By which the process may grow. The memory of WebAssembly and of buffers is no part of the heap. */
  growthMiB?: number;
  /** Absent if the process has another file than the asker: that one calls `serveJob`. */
  run?(input: Input): Output | Promise<Output>;
}

/** The error of a job that was ended from outside, or ended its process, with the reason. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded';
  constructor(readonly reason: 'deadline' | 'memory') {
    super(reason === 'deadline' ? 'The deadline has passed.' : 'It needs too much memory.');
  }
}

interface Order {
  job: string;
  input: unknown;
  /** The asking process's clock: a local cloud moves it. */
  now: number;
}
type Answer = 'ready' | { output: unknown } | { error: { name: string; message: string } };

/**
 * The main thread of the child. The job runs in its other thread, so this one always has a turn: it ends the process when that grows too
 * large and when the asker is gone. If the machine has no memory left, Linux ends this process first.
 */
const keeper = `
const { Worker } = require('node:worker_threads');
const end = () => process.kill(process.pid, 'SIGKILL');
process.on('disconnect', end);
try { require('node:fs').writeFileSync('/proc/self/oom_score_adj', '1000'); } catch {}
process.once('message', ({ file, growth, options }) => {
  const before = process.memoryUsage.rss();
  setInterval(() => process.memoryUsage.rss() - before > growth && end(), 20);
  const worker = new Worker(file, options);
  let isAnswered = false;
  const send = (answer) => {
    isAnswered ||= answer !== 'ready';
    process.send(answer);
  };
  worker.on('message', send);
  worker.on('error', ({ code, name, message }) => code === 'ERR_WORKER_OUT_OF_MEMORY' ? end() : send({ error: { name, message } }));
  worker.on('exit', () => isAnswered || end());
});`;

const mebibyte = 1_048_576;

/**
 * Makes a function that runs in a process of its own, without the environment of this one. Code and documents that strangers write can keep
 * an interpreter or a parser busy for minutes, where no check of ours has a turn, and can make V8 end its process. That process is then
 * the child, which takes about 0.1 s to start.
 *
 * @returns the function. It throws JobEnded past its deadline, which counts from when the process has loaded its code, or past its
 *   memory; and an error with the name and the message of what `run` threw.
 */
export function childJob<Input, Output>({ file, name, heapMiB, youngMiB, growthMiB, run }: Job<Input, Output>) {
  if (run) serveJob(name, run);
  const options = {
    env: {},
    // What a library prints may quote a stranger's words. Nobody reads it.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngMiB },
  };
  const growth = (growthMiB ?? heapMiB + 128) * mebibyte;
  return async (input: Input, deadlineMs: number): Promise<Output> => {
    const { LD_LIBRARY_PATH } = process.env;
    const child = spawn(process.execPath, ['-e', keeper], {
      env: { ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    try {
      const order: Order = { job: name, input, now: Date.now() };
      const answer = answerOf<Output>(child, deadlineMs);
      // If the child is gone, its exit is the answer.
      child.send({ file, growth, options: { ...options, workerData: order } }, () => undefined);
      return await answer;
    } finally {
      child.kill('SIGKILL');
    }
  };
}

/** Does the job in the process that `childJob` has begun with this file; elsewhere, nothing. */
export function serveJob<Input, Output>(name: string, run: (input: Input) => Output | Promise<Output>): void {
  const order = workerData as Partial<Order> | undefined;
  if (order?.job === name) void serve(order as Order, run as (input: unknown) => unknown);
}

function answerOf<Output>(child: ChildProcess, deadlineMs: number): Promise<Output> {
  let timer: NodeJS.Timeout | undefined;
  const answered = new Promise<Output>((resolve, reject) => {
    child.on('message', (answer: Answer) => {
      if (answer === 'ready') timer = setTimeout(() => reject(new JobEnded('deadline')), deadlineMs);
      else if ('output' in answer) resolve(answer.output as Output);
      else reject(Object.assign(new Error(answer.error.message), { name: answer.error.name }));
    });
    child.on('error', reject);
    child.on('exit', () => reject(new JobEnded('memory')));
  });
  return answered.finally(() => clearTimeout(timer));
}

async function serve({ input, now }: Order, run: (input: unknown) => unknown): Promise<void> {
  // The rest of the file defines what the job uses.
  await new Promise((resolve) => setImmediate(resolve));
  const offset = now - Date.now();
  const realNow = Date.now;
  Date.now = () => realNow() + offset;
  parentPort!.postMessage('ready' satisfies Answer);
  let answer: Answer;
  try {
    answer = { output: await run(input) };
  } catch (error) {
    const { name, message } = asError(error);
    answer = { error: { name, message } };
  }
  parentPort!.postMessage(answer);
}
