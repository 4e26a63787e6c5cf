import { free } from '../../core/base/models/price-list';
import { noUsage } from '../../core/base/state/schemas';
import { ModelThrottled } from '../../core/base/text/errors';
import type { Model } from '../../core/conversations/agent/model';
import { type LoggedLine, loggedLines } from '../../test/support/logged';
import { measured } from './measured';

let lines: LoggedLine[];
beforeEach(() => {
  lines = loggedLines();
});

const abortedOr = (aborted: boolean) => (aborted ? AbortSignal.abort() : new AbortController().signal);

/** Asks a measured model, which answers as `reply` does. */
async function ask(reply: Model['reply'], { unwanted = false, late = false } = {}) {
  const model: Model = { about: () => ({ model: 'm', maker: 'maker', price: free }), reply };
  const said: string[] = [];
  const request = { agent: { name: 'travel' } as never, items: [], onText: (piece: string) => void said.push(piece) };
  const asked = measured(model, abortedOr(late)).reply({ ...request, signal: abortedOr(unwanted || late) });
  await asked.catch(() => undefined);
  return { said, asked };
}
const usage = { ...noUsage, modelCalls: 1 };
const fail = () => Promise.reject(new ModelThrottled('busy'));

test('a model call has its latency, and that of its first word, by its model (R171)', async () => {
  const { said } = await ask(async ({ onText }) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    onText('Hello');
    await new Promise((resolve) => setTimeout(resolve, 2));
    onText(' world');
    return { text: 'Hello world', toolCalls: [], usage };
  });
  expect(said).toEqual(['Hello', ' world']);
  const { FirstWord, ModelLatency } = lines[0] as unknown as { FirstWord: number; ModelLatency: number };
  expect(lines).toMatchObject([{ message: 'model', agent: 'travel', Model: 'm', ModelFailures: 0 }]);
  expect(FirstWord).toBeGreaterThan(0);
  expect(ModelLatency).toBeGreaterThan(FirstWord);
  expect(JSON.stringify(lines)).not.toContain('Hello');
});

test('a reply of calls alone has no first word (R171)', async () => {
  await ask(async () => ({ text: '', toolCalls: [], usage }));
  expect(lines[0]).toMatchObject({ ModelLatency: expect.any(Number) });
  expect(lines[0]).not.toHaveProperty('FirstWord');
});

test('a failure is counted and thrown, and has no latency (R171)', async () => {
  const { asked } = await ask(fail);
  await expect(asked).rejects.toThrow('busy');
  expect(lines).toMatchObject([{ message: 'model', error: 'ModelThrottled', Model: 'm', ModelFailures: 1 }]);
  expect(lines[0]).not.toHaveProperty('ModelLatency');
});

test('a call that ran out of time has failed, and one that nobody wants any more has not (R171)', async () => {
  await ask(fail, { unwanted: true });
  expect(lines).toEqual([]);
  await ask(fail, { late: true });
  expect(lines).toMatchObject([{ ModelFailures: 1 }]);
});
