import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { openSigningKey } from '../../../local/http-api/identity';
import { workerBuild } from '../../../local/lambda/sandbox';

const root = join(__dirname, '../../..');
const folder = join(root, '.vigil/test/cloud');

/** The local cloud in one compiled file. */
export const compiledCloud = join(folder, 'cached-cloud.js');
/** The key with which the clouds of tests sign tokens. Generating one takes as long as the rest of a cloud's start. */
export const identityKey = join(folder, 'identity.pem');

/**
 * Compiles the local cloud once for all tests. Otherwise each cloud, a process of its own, would compile the same
 * files.
 */
export async function compileCloud(): Promise<void> {
  await mkdir(folder, { recursive: true });
  // Packages with binaries are loaded from their own folders.
  const external = ['classic-level', 'esbuild', '@dynoxide/*'];
  await Promise.all([
    compile('local/serve.ts', { external, supported: { 'dynamic-import': false } }),
    compile('local/lambda/worker.ts'),
    compile('test/support/clouds/cached-cloud.ts'),
    openSigningKey(folder),
  ]);
}

async function compile(entry: string, options: BuildOptions = {}): Promise<void> {
  const { outputFiles } = await build({
    ...workerBuild,
    entryPoints: [join(root, entry)],
    logLevel: 'error',
    ...options,
    write: false,
  });
  const file = join(folder, basename(entry).replace(/\.ts$/, '.js'));
  const whole = `${file}.${process.pid}`;
  await writeFile(whole, outputFiles![0]!.contents);
  // Renamed into place, because other tests may be about to load it.
  await rename(whole, file);
}
