import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { OnLoadResult, OnResolveArgs, Plugin } from 'esbuild';
import { definitionOf } from './definition-of';
import type { Sources } from './entries';

/**
 * A tool's file holds its definition and its handler. CallModel, the API and the agents need definitions only, and must not pay for
 * what handlers import. With this plugin, an import of a tool from outside the tools' folders gives its definition (`definitionOf`)
 * and all that the definition imports. An entry point there is bundled whole, with what it imports from its own folder.
 * The agents are those of `sources`, whatever the importer names.
 *
 * The filters are narrow because each match is a trip between esbuild's process and this one: with a look at every import
 * the bundles take five times as long.
 */
export function definitionOnly(root: string, sources: Sources): Plugin {
  const inside = (folder: string, path: string) => relative(root, path).split(sep).join('/').startsWith(`${folder}/`);
  const isTool = (path: string) => sources.tools.some((folder) => inside(folder, path));
  return {
    name: 'definition-only',
    setup(build) {
      const resolve = async (args: OnResolveArgs) => {
        if (args.kind === 'entry-point' || args.pluginData === asked) return undefined;
        const { path, resolveDir, importer, kind } = args;
        const found = await build.resolve(path, { resolveDir, importer, kind, pluginData: asked });
        return isTool(found.path) && found.path.endsWith('.ts') ? { ...found, namespace: 'definition' } : found;
      };
      build.onResolve({ filter: /(^|[\\/])tools[\\/]/, namespace: 'file' }, resolve);
      build.onResolve({ filter: /^\.|[\\/]tools[\\/]/, namespace: 'definition' }, resolve);
      build.onLoad({ filter: /\.ts$/, namespace: 'definition' }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        // A file that cannot be parsed is left to esbuild, which says where the mistake is.
        const contents = await definitionOf(source, relative(root, path)).catch(() => source);
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
      build.onResolve({ filter: /^\.\.?[\\/]agents$/, namespace: 'file' }, ({ importer }) =>
        inside('lambdas', importer) ? { path: join(root, sources.agents, 'index.ts') } : undefined,
      );
      build.onLoad({ filter: /[\\/]agents[\\/]index\.ts$/ }, async ({ path }) => writtenOut(root, path));
    },
  };
}

/** An index that looks through its folder, with what it finds there written out; any other as it is. */
async function writtenOut(root: string, path: string): Promise<OnLoadResult | undefined> {
  if (!(await readFile(path, 'utf8')).includes('readdirSync(__dirname)')) return undefined;
  const folder = dirname(path);
  const files = (await readdir(folder)).filter((file) => file.endsWith('-agent.ts')).sort();
  const imports = files.map((file, index) => `import * as agents${index} from './${file.slice(0, -'.ts'.length)}';`);
  const all = files.map((_, index) => `...Object.values(agents${index})`).join(', ');
  const contents = `import { registry } from ${JSON.stringify(join(root, 'core/agent/registry'))};\n${imports.join('\n')}\nexport const agents = [${all}];\nexport const shipped = registry(agents);`;
  return { contents, loader: 'ts', resolveDir: folder };
}

/** Marks a question that the plugin itself puts to esbuild's resolver, so that it does not answer itself. */
const asked = Symbol('asked by definition-only');
