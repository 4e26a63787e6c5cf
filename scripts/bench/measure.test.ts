import { existsSync } from 'node:fs';
import { inScratch, median, run, times } from './measure';

test('the median of an even number of values lies between the middle two', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([40, 10, 30, 20])).toBe(25);
});

test('takes one measurement after the other', async () => {
  let count = 0;
  expect(await times(3, async () => count++)).toEqual([0, 1, 2]);
});

test('a scratch folder is removed, also after a failure', async () => {
  let folder = '';
  const work = inScratch(async (path) => {
    folder = path;
    throw new Error('broken');
  });
  await expect(work).rejects.toThrow('broken');
  expect(existsSync(folder)).toBe(false);
});

describe('a command', () => {
  const node = (script: string) => [process.execPath, '-e', script];

  test('is measured to its end, or stopped when its output matches', async () => {
    expect((await run(node('console.log(process.env.GIVEN)'), { env: { GIVEN: 'yes' } })).output).toBe('yes\n');
    const { ms } = await run(node('console.log("ready"); setInterval(() => {}, 1000)'), { until: /ready/ });
    expect(ms).toBeLessThan(10_000);
  });

  test('that fails, or takes too long, is reported with the end of its output', async () => {
    await expect(run(node('console.error("no such thing"); process.exit(3)'))).rejects.toThrow(
      /ended with 3\nno such thing/,
    );
    await expect(run(node('setInterval(() => {}, 1000)'), { limitMs: 300 })).rejects.toThrow(/no end after 300 ms/);
  });
});
