import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import type { Explored } from './explore';

/** What a process of the exploration says at its end. */
export interface Part extends Omit<Explored, 'met'> {
  met: [what: string, times: number][];
  cpuSeconds: number;
}

interface Asked {
  seeds: number;
  first?: number;
  /** After so many violations, it ends. */
  enough?: number;
  /** How many explore at once. */
  processes?: number;
  /** What changes the code under test. */
  plugins?: Plugin[];
}

/** Schedules of one process: so many that its start is a small part of the cost. */
const atOnce = 10_000;

/** Explores in processes of their own, from one bundle: loaded file by file, within Jest or tsx, the code takes twice the time. */
export async function exploreInProcesses(asked: Asked): Promise<Explored & { cpuSeconds: number }> {
  const { seeds, first = 1, enough = 5, processes = availableParallelism(), plugins = [] } = asked;
  // Inside the repository, where the engine finds its packages.
  const kept = join(__dirname, '../../.vigil');
  mkdirSync(kept, { recursive: true });
  const folder = mkdtempSync(join(kept, 'explore-'));
  try {
    const outfile = join(folder, 'explorer.js');
    await build({
      entryPoints: [join(__dirname, 'explorer.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      alias: {
        'node:zlib': join(__dirname, 'compressed-once.ts'),
        'node:crypto': join(__dirname, 'seeded-crypto.ts'),
      },
      mainFields: ['module', 'main'],
      sourcemap: 'linked',
      logLevel: 'silent',
      plugins,
    });
    const all = {
      schedules: 0,
      violations: [] as Explored['violations'],
      met: new Map<string, number>(),
      digest: 0,
      cpuSeconds: 0,
    };
    let next = first;
    const explorePart = async () => {
      while (next < first + seeds && all.violations.length < enough) {
        const from = next;
        next = Math.min(first + seeds, from + Math.min(atOnce, Math.ceil(seeds / processes)));
        const { schedules, violations, met, digest, cpuSeconds } = await part(outfile, [from, next - from, enough]);
        all.schedules += schedules;
        all.violations.push(...violations);
        for (const [what, times] of met) all.met.set(what, (all.met.get(what) ?? 0) + times);
        all.digest ^= digest;
        all.cpuSeconds += cpuSeconds;
      }
    };
    await Promise.all(Array.from({ length: processes }, explorePart));
    all.violations.sort((one, other) => one.seed - other.seed);
    return all;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function part(bundle: string, seeds: number[]): Promise<Part> {
  // What one schedule makes is dropped with it: there is room for it beside what stays.
  const args = ['--enable-source-maps', '--max-semi-space-size=128', bundle, ...seeds.map(String)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e9 });
  return JSON.parse(stdout) as Part;
}
