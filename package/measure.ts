/**
 * Measures what a newcomer waits for, with npm's cache as it is:
 *
 *     npm run pack && npx tsx package/measure.ts vigil-*.tgz
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { signIn } from '../test/support/api-client';

async function measure(tarballs: string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-newcomer-'));
  const app = join(folder, 'my-agents');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const npm = (cwd: string, ...args: string[]) => void execFileSync('npm', [...quiet, ...args], { cwd, stdio: 'pipe' });
  const bytes = tarballs.reduce((sum, tarball) => sum + statSync(tarball).size, 0);
  console.log(`the packed files: ${(bytes / 1e6).toFixed(1)} MB`);
  try {
    const from = performance.now();
    const packed = tarballs.map((tarball) => `--package=${tarball}`);
    npm(folder, 'exec', '--yes', ...packed, '--', 'vigil', 'init', 'my-agents');
    const made = shown('vigil init', from);
    npm(app, 'install');
    const installed = shown('npm install', made);
    console.log(
      `node_modules: ${execFileSync('du', ['-sm', join(app, 'node_modules')], { encoding: 'utf8' }).split('\t')[0]} MB`,
    );
    await started(app, async (url, says) => {
      const ready = shown('vigil start', installed);
      const ada = await signIn(url, 'ada');
      await ada.finished((await ada.start('guide', '/call opening_hours {"day": "Sunday"}')).id);
      const replied = shown('the first reply', ready);
      console.log(`in all: ${((replied - from) / 1_000).toFixed(0)} s`);
      const edited = performance.now();
      const tool = join(app, 'tools/opening-hours.ts');
      writeFileSync(tool, readFileSync(tool, 'utf8').replace('17:00', '18:00'));
      await says('Live in');
      shown('a saved change is live', edited);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the seconds since `from`, and returns the time. */
function shown(what: string, from: number): number {
  const now = performance.now();
  console.log(`${what}: ${((now - from) / 1_000).toFixed(1)} s`);
  return now;
}

async function started(app: string, use: (url: string, says: (text: string) => Promise<void>) => Promise<void>) {
  const bin = join(app, 'node_modules/vigil/dist/package/cli/main.js');
  const env = { ...process.env, PORT: '0', AWS_PORT: '0' };
  const child = spawn(process.execPath, [bin, 'start'], { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let url = '';
  const says = async (text: string) => {
    for (;;) {
      const { done, value = '' } = await lines.next();
      if (done) throw new Error(`vigil start ended before it said "${text}".`);
      url ||= /http:\/\/127\.0\.0\.1:\d+/.exec(value)?.[0] ?? '';
      if (value.includes(text)) return;
    }
  };
  try {
    await says('Ctrl-C');
    await use(url, says);
  } finally {
    child.kill('SIGINT');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

measure(process.argv.slice(2).map((file) => resolve(file))).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
