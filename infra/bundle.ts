import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ConfigurationError } from '../core/errors';
import { definitionOnly } from './definition-only';
import { type Entry, root, type Sources, shippedSources } from './entries';
import { smallZod } from './small-zod';

/**
 * Bundles every function in one call of esbuild, which reads and parses each shared module once: `<outdir>/<id>/index.js`.
 *
 * The AWS SDK is bundled: that starts in half the time of the copy in the runtime. Node 20 is the target because laptops
 * still run it, though the deployed runtime is newer.
 *
 * @throws ConfigurationError in one line for an entry that does not exist.
 */
export async function bundle(entries: Entry[], outdir: string, sources: Sources = shippedSources): Promise<void> {
  const missing = entries.find(({ file }) => !existsSync(join(root, file)));
  if (missing) throw new ConfigurationError(`function ${missing.id}: ${missing.file} does not exist`);
  await build({
    absWorkingDir: root,
    entryPoints: entries.map(({ id, file }) => ({ in: join(root, file), out: `${id}/index` })),
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    alias: { '@aws-sdk/credential-provider-node': join(root, 'infra/lambda-credentials.ts') },
    logLevel: 'error',
    plugins: [definitionOnly(root, sources), smallZod],
  });
}
