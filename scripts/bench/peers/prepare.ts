import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../measure';
import { plainBundle } from '../plain-bundle';

/**
 * Returns a peers' folder with its packages installed: `PEERS_DIR` if they are installed there, otherwise a copy in a
 * temporary folder, which later runs reuse. The folder itself may be read-only and is not written to.
 *
 * @throws Error if there is no such folder.
 */
export function peersFolder(): string {
  const source = path.resolve(process.env.PEERS_DIR ?? path.join(root, '../shared/bench/peers'));
  if (!existsSync(path.join(source, 'lib/harness.mjs'))) {
    throw new Error(`${source} is not a peers' folder: set PEERS_DIR to one (its README describes the content)`);
  }
  if (isInstalled(source)) return source;
  const copy = path.join(tmpdir(), `vigil-peers-${process.getuid?.() ?? 0}`);
  cpSync(source, copy, { recursive: true, filter: (from) => path.basename(from) !== 'node_modules' });
  makeWritable(copy);
  if (!isInstalled(copy)) {
    console.log(`Installing the peers in ${copy} (once, some 400 packages)`);
    execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: copy, stdio: 'inherit', timeout: 600_000 });
  }
  return copy;
}

const isInstalled = (folder: string) => existsSync(path.join(folder, 'node_modules/node22/bin/node'));

/** A copy of a read-only folder is read-only, and could not be overwritten the next time. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const { name } of readdirSync(folder, { withFileTypes: true })) {
    if (name === 'node_modules') continue;
    const entry = path.join(folder, name);
    if (statSync(entry).isDirectory()) makeWritable(entry);
    else chmodSync(entry, name.endsWith('.sh') ? 0o755 : 0o644);
  }
}

/** Bundles the engine and its clock for the peers' harness. */
export const bundleEngine = (): string =>
  plainBundle('vigil-peer', {
    stdin: {
      contents: "export { movedClock, startStepFunctions } from 'vigil-stepfunctions';",
      resolveDir: root,
    },
  });

/** DBOS starts its own PostgreSQL: from `PG_BIN`, or the newest of Debian's packages. */
export function postgresFolder(): string | undefined {
  if (process.env.PG_BIN) return process.env.PG_BIN;
  const packaged = '/usr/lib/postgresql';
  if (!existsSync(packaged)) return undefined;
  const newest = readdirSync(packaged).sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : path.join(packaged, newest, 'bin');
}
