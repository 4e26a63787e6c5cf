import { createRequire } from 'node:module';
import { build } from 'esbuild';

/**
 * Loads a TypeScript file with what it imports, and returns its exports. Node does not run TypeScript of every version, so the file is bundled
 * first.
 *
 * @param path absolute.
 * @throws what esbuild or the file throws.
 */
export async function exportsOf(path: string): Promise<Record<string, unknown>> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
  });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0]!.text)(module, module.exports, createRequire(path));
  return module.exports;
}
