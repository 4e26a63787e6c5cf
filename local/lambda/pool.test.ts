import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Pool, startPool } from './pool';
import { workerCode } from './sandbox';

const source = `
const { existsSync, writeFileSync } = require('node:fs');
exports.handler = async ({ begun, until }) => {
  writeFileSync(begun, '');
  while (until && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 10));
};`;

let folder: string;
let pool: Pool;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-pool-'));
  const file = join(folder, 'index.js');
  writeFileSync(file, source);
  const setup = {
    file,
    handler: 'handler',
    codeCache: join(folder, 'cache'),
    memoryMb: 128,
    functionName: 'One',
    functionArn: 'arn',
    offset: new SharedArrayBuffer(8),
  };
  pool = startPool({ code: await workerCode(), setup, environment: {}, print: () => undefined }, 1);
});
afterAll(async () => {
  await pool.stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const run = (event: object, wanted?: AbortSignal) =>
  pool.run({ requestId: '1', payload: JSON.stringify(event), timeoutMs: 60_000 }, undefined, wanted);

async function until(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('what waits for a thread when its caller goes never begins; what has begun goes on (R188)', async () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const running = run({ begun: at('a'), until: at('go') }, first.signal);
  await until(at('a'));
  const waiting = run({ begun: at('b') }, second.signal);
  const third = run({ begun: at('c') });
  first.abort();
  second.abort();
  await expect(waiting).rejects.toThrow('aborted');
  await expect(run({ begun: at('b') }, second.signal)).rejects.toThrow('aborted');
  writeFileSync(at('go'), '');
  expect((await running).ending.kind).toBe('done');
  const { ending, waitedMs } = await third;
  expect([ending.kind, waitedMs > 0]).toEqual(['done', true]);
  expect([existsSync(at('b')), existsSync(at('c')), pool.active()]).toEqual([false, true, 0]);
});
