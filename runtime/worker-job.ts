import { parentPort, Worker, workerData } from 'node:worker_threads';
import { asError } from '../core/base/text/thrown';

interface Job<Input, Output> {
  /** The file that defines the job: `__filename`. In a bundle that is the bundle. */
  file: string;
  name: string;
  /** The largest heap of the thread, and the part of it for new objects. */
  heapMiB: number;
  youngMiB?: number;
  /** By which the whole process may grow. The memory of WebAssembly is no part of the heap. */
  growthMiB?: number;
  /** Absent if the thread has another file than the asker: that one calls `serveJob`. */
  run?(input: Input): Output | Promise<Output>;
}

/** The error of a thread that was ended from outside, with the reason. */
export class JobEnded extends Error {
  override readonly name = 'JobEnded';
  constructor(readonly reason: 'deadline' | 'memory') {
    super(reason === 'deadline' ? 'The deadline has passed.' : 'It needs too much memory.');
  }
}

interface Order {
  job: string;
  input: unknown;
  /** The asking thread's clock: a local cloud moves it. */
  now: number;
}
type Answer = 'ready' | { output: unknown } | { error: { name: string; message: string } };

/**
 * Makes a function that runs in a thread of its own, without the environment of this one. Code and pages that strangers write
 * can keep an interpreter or a parser busy for minutes, where no check of ours has a turn; a thread can be ended from outside.
 *
 * @returns the function. It throws JobEnded past its deadline, which counts from when the thread has loaded its code, or past its
 *   heap; and an error with the name and the message of what `run` threw.
 */
export function workerJob<Input, Output>({ file, name, heapMiB, youngMiB, growthMiB, run }: Job<Input, Output>) {
  if (run) serveJob(name, run);
  return async (input: Input, deadlineMs: number): Promise<Output> => {
    const worker = new Worker(file, {
      workerData: { job: name, input, now: Date.now() } satisfies Order,
      env: {},
      execArgv: [],
      // What a library prints may quote a stranger's words. Nobody reads it.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: youngMiB },
    });
    const before = process.memoryUsage.rss();
    const isTooLarge = () => process.memoryUsage.rss() - before > growthMiB! * 1_048_576;
    try {
      return await answerOf<Output>(worker, deadlineMs, growthMiB === undefined ? undefined : isTooLarge);
    } finally {
      await worker.terminate();
    }
  };
}

/** Does the job in the thread that `workerJob` has begun with this file; elsewhere, nothing. */
export function serveJob<Input, Output>(name: string, run: (input: Input) => Output | Promise<Output>): void {
  const order = workerData as Partial<Order> | undefined;
  if (order?.job === name) void serve(order as Order, run as (input: unknown) => unknown);
}

const watchMs = 20;

function answerOf<Output>(worker: Worker, deadlineMs: number, isTooLarge?: () => boolean): Promise<Output> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const watch = isTooLarge && setInterval(() => isTooLarge() && reject(new JobEnded('memory')), watchMs);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      clearInterval(watch);
      settle();
    };
    worker.on('message', (answer: Answer) => {
      if (answer === 'ready') timer = setTimeout(() => reject(new JobEnded('deadline')), deadlineMs);
      else if ('output' in answer) end(() => resolve(answer.output as Output));
      else end(() => reject(Object.assign(new Error(answer.error.message), { name: answer.error.name })));
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new JobEnded('memory') : error)),
    );
    worker.on('exit', () => end(() => reject(new JobEnded('memory'))));
  });
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
