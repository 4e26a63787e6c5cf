import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Load } from './bundle-loader';
import { root } from './entries';

/** Digests of bundles that have loaded, the latest first: to load all of them takes longer than to bundle them. */
const store = join(root, 'node_modules/.cache/vigil/loaded-bundles');
const kept = 1_000;

export async function digestOf({ file, exports, variables }: Load): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([process.version, exports, variables]));
  return hash.update(await readFile(file)).digest('hex');
}

export async function loadedBefore(): Promise<ReadonlySet<string>> {
  return new Set((await readFile(store, 'utf8').catch(() => '')).split('\n'));
}

/** A store that cannot be written only makes the next check longer. */
export async function remember(digests: string[], known: ReadonlySet<string>): Promise<void> {
  const lines = [...new Set([...digests, ...known])].slice(0, kept);
  const whole = `${store}.${process.pid}`;
  await mkdir(dirname(store), { recursive: true })
    .then(() => writeFile(whole, lines.join('\n')))
    .then(() => rename(whole, store))
    .catch(() => undefined);
}
