import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';

// A job that runs any code, bundled as a function's is.
const folder = mkdtempSync(join(tmpdir(), 'vigil-job-'));
const file = join(folder, 'job.js');
buildSync({
  stdin: {
    contents: `import { childJob } from './child-job';
      export const run = childJob({ file: __filename, name: 'any', heapMiB: 24, growthMiB: 150,
        run: (code) => new Function('require', code)(require) });`,
    resolveDir: __dirname,
  },
  outfile: file,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
});
const { run } = require(file) as { run(code: string, deadlineMs: number): Promise<unknown> };
afterAll(() => rmSync(folder, { recursive: true }));

test('a job runs in another process, without this one’s environment, and its errors keep name and message', async () => {
  const output = await run('return [process.pid, { ...process.env }, new Uint8Array([1, 2])]', 5_000);
  expect(output).toEqual([expect.any(Number), {}, new Uint8Array([1, 2])]);
  expect((output as number[])[0]).not.toBe(process.pid);
  await expect(run('throw new RangeError("no")', 5_000)).rejects.toMatchObject({ name: 'RangeError', message: 'no' });
});

test.each([
  ['objects', 'const all = []; for (;;) all.push({ n: all.length })'],
  ['one table, which V8 cannot enlarge', 'const all = {}; for (let n = 0; ; n++) all["a" + n] = n'],
  ['buffers', 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'],
  ['a crash', 'process.kill(process.pid, "SIGSEGV"); for (;;);'],
])('what takes all memory or crashes ends the child alone: %s (R266)', async (_kind, code) => {
  await expect(run(code, 60_000)).rejects.toMatchObject({ name: 'JobEnded', reason: 'memory' });
  expect(await run('return 1', 5_000)).toBe(1);
});

test('a job that does not end is ended at its deadline', async () => {
  await expect(run('for (;;);', 100)).rejects.toMatchObject({ name: 'JobEnded', reason: 'deadline' });
});

test('a job ends with the thread that has asked for it, busy as it is (R266)', async () => {
  const mark = join(folder, 'pid');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid)); for (;;);`;
  const script = join(folder, 'asker.js');
  writeFileSync(script, `void require('./job.js').run(${JSON.stringify(code)}, 600_000)`);
  const asker = new Worker(script);
  await until(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
  const pid = readFileSync(mark, 'utf8');
  expect(isRunning(pid)).toBe(true);
  await asker.terminate();
  await until(() => !isRunning(pid));
});

/** Without the thread that would ask how it has ended, it stays a line of the system's table (`Z`). */
const isRunning = (pid: string) => /^[^Z\s]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid]).stdout.toString());

async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('It has not happened in a minute.');
    await setTimeout(50);
  }
}
