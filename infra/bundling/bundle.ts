import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, type Metafile } from 'esbuild';
import { ConfigurationError } from '../../core/base/text/errors';
import { buildProblem } from './build-problem';
import { checkedBefore } from './checked-before';
import { agentsEntry, definitionOnly } from './definition-only';
import { type Entry, jobs, root, type Sources, shippedSources, shownPath } from './entries';
import { smallAws } from './small-aws';
import { smallMcp } from './small-mcp';
import { smallOpenai } from './small-openai';
import { smallZod } from './small-zod';

/**
 * Bundles every function in one esbuild build, which reads and parses each shared module once, to
 * `<outdir>/<id>/index.js` with a source map. Node reads the source map only when it logs an error
 * (`core/base/text/stack-frames.ts`).
 *
 * The AWS SDK is bundled, because that starts in half the time of the runtime's copy. The target is Node 20, which
 * laptops still run; the deployed runtime is newer.
 *
 * @returns the files that each bundle is made from.
 * @throws ConfigurationError in one line, for a missing entry and for esbuild's errors.
 */
export async function bundle(entries: Entry[], outdir: string, sources: Sources = shippedSources): Promise<Metafile> {
  const missing = entries.find(({ file }) => !existsSync(join(root, file)));
  if (missing) throw new ConfigurationError(`function ${missing.id}: ${shownPath(missing.file)} does not exist`);
  const points = entries.map(({ id, file }) => ({ in: join(root, file), out: `${id}/index` }));
  const beside = entries.flatMap((entry) =>
    jobs.flatMap(({ isOf, file, name }) => (isOf(entry) ? { in: join(root, file), out: `${entry.id}/${name}` } : [])),
  );
  return built({
    entryPoints: [...points, ...beside],
    outdir,
    minify: true,
    plugins: [definitionOnly(root, sources), checkedBefore, smallZod, smallOpenai, smallMcp, smallAws],
  });
}

/**
 * Bundles the agents with the definitions of their tools, for the synthesis. Errors are found before anything is
 * loaded, and the AWS clients that only handlers need are never loaded.
 *
 * @throws ConfigurationError in one line, for esbuild's errors.
 */
export async function bundleAgents(outfile: string, sources: Sources = shippedSources): Promise<void> {
  await built({ entryPoints: [agentsEntry], outfile, plugins: [definitionOnly(root, sources), smallZod] });
}

/** Files that an import gives as bytes (`runtime/binary-files.d.ts`). */
export const binaryFiles = { '.wasm': 'binary', '.ttf': 'binary' } as const;

async function built(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    // An app's `import … from 'vigil'` leads to the package's sources, from which definitions can be taken.
    conditions: ['vigil-source', 'module'],
    legalComments: 'none',
    loader: binaryFiles,
    sourcemap: 'linked',
    sourcesContent: false,
    // `import()` loads Node's machinery for ES modules. `require` does without it.
    supported: { 'dynamic-import': false },
    alias: { '@aws-sdk/credential-provider-node': join(root, 'infra/bundling/lambda-credentials.ts') },
    logLevel: 'silent',
    ...options,
    metafile: true,
  }).catch((failure: BuildFailure) => {
    throw buildProblem(failure);
  });
  return metafile;
}
