import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stopOnSignals } from './signals';

let exited: unknown[];
beforeEach(() => {
  jest.useFakeTimers();
  exited = [];
  jest.spyOn(process, 'exit').mockImplementation((code) => exited.push(code) as never);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Returns what a signal does to a process with this stop. No signal is sent. */
function signalled(stop: () => Promise<void>): () => void {
  const on = jest.spyOn(process, 'on').mockReturnValue(process);
  stopOnSignals(stop);
  const [name, listener] = on.mock.lastCall as [string, () => void];
  expect(name).toBe('SIGTERM');
  return listener;
}

test('a stop that hangs is cut short within a second', () => {
  signalled(() => new Promise(() => undefined))();
  jest.advanceTimersByTime(800);
  expect(exited).toEqual([]);
  jest.advanceTimersByTime(199);
  expect(exited).toEqual([0]);
});

test('the process ends when the stop is done, or at once on a second signal', async () => {
  signalled(async () => undefined)();
  await jest.advanceTimersByTimeAsync(0);
  expect(exited).toEqual([0]);
  const signal = signalled(() => new Promise(() => undefined));
  signal();
  signal();
  expect(exited).toEqual([0, 1]);
});

test('a process that npm has started stops when npm’s shell is told to end (R270)', async () => {
  const script = `require('./signals.ts').stopOnSignals(async () => {}, console.log); setInterval(() => {}, 1000); console.log('ready');`;
  const shell = spawn('sh', ['-c', `"$0" --import tsx -e "$1"; true`, process.execPath, script], {
    cwd: __dirname,
    env: { PATH: process.env.PATH, npm_lifecycle_event: 'start', NODE_PATH: join(__dirname, '../../node_modules') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const ready = new Promise<void>((resolve) =>
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('ready')) resolve();
    }),
  );
  await ready;
  shell.kill('SIGTERM');
  // The pipe closes when the process itself has ended.
  await once(shell.stdout, 'close');
  expect(said).toBe('ready\nStopping (npm has ended).\n');
});
