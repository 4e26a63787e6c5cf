import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = join(__dirname, '../..');
const folder = join(root, '.vigil/test/cloud');

/** The local cloud in one file: `local/serve.ts` as it is, compiled. */
export const compiledCloud = join(folder, 'serve.js');

/**
 * Compiles the local cloud once for all tests. Each of them has some clouds, each a process of its own, which would otherwise compile
 * the same files whenever it starts.
 */
export async function compileCloud(): Promise<void> {
  await mkdir(folder, { recursive: true });
  await compile('local/serve.ts', {
    bundle: true,
    // What has a binary of its own is loaded from where it lies.
    external: ['classic-level', 'esbuild', '@dynoxide/*'],
    sourcemap: 'inline',
    sourcesContent: false,
  });
  await compile('local/lambda/worker.ts', {});
}

async function compile(entry: string, options: object): Promise<void> {
  const { outputFiles } = await build({
    ...{ entryPoints: [join(root, entry)], platform: 'node', format: 'cjs', target: 'node20', logLevel: 'error' },
    ...options,
    write: false,
  });
  const file = join(folder, basename(entry).replace(/\.ts$/, '.js'));
  const whole = `${file}.${process.pid}`;
  await writeFile(whole, outputFiles[0]!.contents);
  // Other tests may be about to load it.
  await rename(whole, file);
}
