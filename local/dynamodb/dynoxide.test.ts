import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLine } from './command-line';

/** The usual implementations of /bin/sh: dash on Debian, bash or zsh on macOS, BusyBox on Alpine, mksh on Android. */
const shells = ['/bin/sh', '/bin/dash', '/bin/bash --posix', '/bin/busybox sh', '/bin/zsh --emulate sh', '/bin/mksh'];
const isInstalled = (shell: string) => existsSync(shell.split(' ')[0]!);

let folder: string;
let parent: ChildProcess;
const engines = new Map<string, number>();

/** Starts an engine under each installed shell, in a separate process. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-shells-'));
  const installed = shells.filter(isInstalled);
  for (const index of installed.keys()) mkdirSync(join(folder, String(index)));
  const script = `
    const { startDynoxide } = require(${JSON.stringify(join(__dirname, 'dynoxide.ts'))});
    const start = (shell, index) => startDynoxide(${JSON.stringify(folder)} + '/' + index, console.error, shell.split(' '));
    Promise.all(${JSON.stringify(installed)}.map(start)).then(() => console.log('ready'));`;
  parent = spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const _ready of createInterface({ input: parent.stdout! })) break;
  for (const [index, shell] of installed.entries())
    engines.set(shell, Number(readFileSync(join(folder, String(index), 'dynamodb.pid'), 'utf8')));
}, 60_000);

afterAll(async () => {
  parent.kill('SIGKILL');
  for (const pid of engines.values()) if (await isRunning(pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const isRunning = async (pid: number) => (await commandLine(pid)).includes(folder);

test('an engine runs under each shell, and replaces the shell', async () => {
  expect(engines.size).toBeGreaterThan(0);
  for (const pid of engines.values()) expect(await commandLine(pid)).toMatch(/^\S+dynoxide serve /);
});

for (const shell of shells) {
  (isInstalled(shell) ? test : test.skip)(`under ${shell} the engine ends after a kill -9 of its parent`, async () => {
    parent.kill('SIGKILL');
    for (let attempt = 0; attempt < 1_000 && (await isRunning(engines.get(shell)!)); attempt++) await sleep(20);
    expect(await isRunning(engines.get(shell)!)).toBe(false);
  });
}
