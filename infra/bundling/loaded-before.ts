import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Load } from './bundle-loader';
import { root } from './entries';

/** The digests of bundles that have loaded, latest first. Loading all bundles takes longer than building them. */
const store = join(packagesOf(root), '.cache/vigil/loaded-bundles');
const kept = 1_000;

/** Returns the folder of packages that a folder is installed in, or else its own. */
function packagesOf(folder: string): string {
  const [installedIn] = /^.*[\\/]node_modules(?=[\\/])/.exec(folder) ?? [];
  return installedIn ?? join(folder, 'node_modules');
}

export async function digestOf({ file, exports, variables, serves }: Load): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([process.version, exports, variables, serves]));
  return hash.update(await readFile(file)).digest('hex');
}

export async function loadedBefore(): Promise<ReadonlySet<string>> {
  return new Set((await readFile(store, 'utf8').catch(() => '')).split('\n'));
}

/** Stores the digests. A failure to write them only makes the next check slower. */
export async function remember(digests: string[], known: ReadonlySet<string>): Promise<void> {
  const lines = [...new Set([...digests, ...known])].slice(0, kept);
  const whole = `${store}.${process.pid}`;
  await mkdir(dirname(store), { recursive: true })
    .then(() => writeFile(whole, lines.join('\n')))
    .then(() => rename(whole, store))
    .catch(() => undefined);
}
