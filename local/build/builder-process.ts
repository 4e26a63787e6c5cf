/**
 * Synthesizes the stack on request, each time from freshly loaded sources. The packages stay loaded, which is most of a
 * first build's time.
 */
import { join, resolve, sep } from 'node:path';
import type { BuildAnswer, BuildOrder } from './builder';
import { problemOf } from './problem';

const root = resolve(__dirname, '../..');

async function build({ assembly, bundles, env }: BuildOrder): Promise<BuildAnswer> {
  forgetSources();
  try {
    const { synthesize } = require('../../infra/synth') as typeof import('../../infra/synth');
    return { inputs: (await synthesize(assembly, undefined, env, bundles)).inputs };
  } catch (error) {
    return { problem: problemOf(error, root) };
  }
}

function forgetSources(): void {
  const ours = (file: string) => !file.includes(`${sep}node_modules${sep}`) && !file.startsWith(join(root, 'local'));
  for (const file of Object.keys(require.cache)) if (ours(file)) delete require.cache[file];
  // Otherwise modules loaded earlier would never be freed.
  module.children = module.children.filter(({ filename }) => !ours(filename));
}

let last: Promise<unknown> = Promise.resolve();
process.on('message', (order: BuildOrder) => {
  last = last.then(async () => process.send?.(await build(order)));
});
// Ctrl-C reaches the whole process group. The parent decides, and this process ends with it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit(0));
