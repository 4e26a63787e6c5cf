import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildFailure, type BuildOptions, build, type Metafile } from 'esbuild';
import { ConfigurationError } from '../../core/text/errors';
import { buildProblem } from './build-problem';
import { checkedBefore } from './checked-before';
import { definitionOnly } from './definition-only';
import { type Entry, root, type Sources, shippedSources } from './entries';
import { smallOpenai } from './small-openai';
import { smallZod } from './small-zod';

/**
 * Bundles every function in one call of esbuild, which reads and parses each shared module once: `<outdir>/<id>/index.js`.
 * A source map lies beside each. Node reads it only where an error is logged: see `core/text/stack-frames.ts`.
 *
 * The AWS SDK is bundled: that starts in half the time of the copy in the runtime. Node 20 is the target because laptops
 * still run it, though the deployed runtime is newer.
 *
 * @returns which files each bundle was made from.
 * @throws ConfigurationError in one line for an entry that does not exist, and for what esbuild refuses.
 */
export async function bundle(entries: Entry[], outdir: string, sources: Sources = shippedSources): Promise<Metafile> {
  const missing = entries.find(({ file }) => !existsSync(join(root, file)));
  if (missing) throw new ConfigurationError(`function ${missing.id}: ${missing.file} does not exist`);
  return built({
    entryPoints: entries.map(({ id, file }) => ({ in: join(root, file), out: `${id}/index` })),
    outdir,
    minify: true,
    plugins: [definitionOnly(root, sources), checkedBefore, smallZod, smallOpenai],
  });
}

/**
 * Bundles the agents with the definitions of their tools, for who synthesizes: what they need is found out before anything is
 * loaded, and the clients of AWS that the handlers need are not loaded at all.
 *
 * @throws ConfigurationError in one line for what esbuild refuses.
 */
export async function bundleAgents(outfile: string, sources: Sources = shippedSources): Promise<void> {
  const entryPoints = [join(root, sources.agents, 'index.ts')];
  await built({ entryPoints, outfile, plugins: [definitionOnly(root, sources), smallZod] });
}

async function built(options: BuildOptions): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    legalComments: 'none',
    sourcemap: 'linked',
    sourcesContent: false,
    // An `import()` loads Node's machinery for ES modules; a `require` of the same finds it loaded.
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
