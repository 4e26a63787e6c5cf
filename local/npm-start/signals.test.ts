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

/** What a signal does to a process that stops like this; none is sent. */
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

test('one that comes to its end ends the process then, and a second signal at once', async () => {
  signalled(async () => undefined)();
  await jest.advanceTimersByTimeAsync(0);
  expect(exited).toEqual([0]);
  const signal = signalled(() => new Promise(() => undefined));
  signal();
  signal();
  expect(exited).toEqual([0, 1]);
});
