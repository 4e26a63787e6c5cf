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
