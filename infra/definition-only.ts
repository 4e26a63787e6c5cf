import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { OnLoadResult, OnResolveArgs, Plugin } from 'esbuild';
import type { Sources } from './entries';

/**
 * A tool's file holds its definition and its handler. CallModel, the API and the agents need definitions only, and must
 * not pay for what the handlers import. With this plugin an import of a file in `lambdas/tools/` from outside that folder
 * gives the file with everything but zod, `core/` and other tools replaced by something inert; an entry point there is bundled whole.
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
      const resolve = ({ path, resolveDir, importer, kind }: OnResolveArgs) =>
        build.resolve(path, { resolveDir, importer, kind, pluginData: asked });

      build.onResolve({ filter: /(^|[\\/])tools[\\/][^\\/]+$/, namespace: 'file' }, async (args) => {
        if (args.kind === 'entry-point' || args.pluginData === asked) return undefined;
        const found = await resolve(args);
        return isTool(found.path) ? { path: found.path, namespace: 'definition' } : found;
      });
      build.onResolve({ filter: /^\.\.?[\\/]agents$/, namespace: 'file' }, ({ importer }) =>
        inside('lambdas', importer) ? { path: join(root, sources.agents, 'index.ts') } : undefined,
      );
      build.onLoad({ filter: /[\\/]agents[\\/]index\.ts$/ }, async ({ path }) => writtenOut(root, path));
      build.onResolve({ filter: /.*/, namespace: 'definition' }, async (args) => {
        if (args.pluginData === asked) return undefined;
        if (/^zod($|\/)/.test(args.path)) return resolve(args);
        if (!args.path.startsWith('.')) return inert(args);
        const found = await resolve(args);
        if (found.errors.length > 0 || inside('core', found.path)) return found;
        // A tool may name another one, for example the one that verifies it.
        return isTool(found.path) ? { path: found.path, namespace: 'definition' } : inert(args);
      });
      build.onLoad({ filter: /.*/, namespace: 'definition' }, async ({ path }) => ({
        contents: await readFile(path, 'utf8'),
        loader: 'ts',
        resolveDir: dirname(path),
      }));
      build.onLoad({ filter: /.*/, namespace: 'inert' }, ({ path }) => ({ contents: standIn(path), loader: 'js' }));
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
  const contents = `import { registry } from '${join(root, 'core/registry')}';\n${imports.join('\n')}\nexport const agents = [${all}];\nexport const shipped = registry(agents);`;
  return { contents, loader: 'ts', resolveDir: folder };
}

/** Marks a question that the plugin itself puts to esbuild's resolver, so that it does not answer itself. */
const asked = Symbol('asked by definition-only');

const inert = ({ path, importer }: OnResolveArgs) => ({ path: `${path} in ${basename(importer)}`, namespace: 'inert' });

/**
 * Can be imported from, constructed and called, as handlers do when their module loads. Whoever waits for it or reads it
 * as a value learns why it is not there. It is its own prototype, since esbuild makes an import of CommonJS by inheritance.
 */
const standIn = (path: string): string => `
const gone = () => { throw new Error(${JSON.stringify(`${path} is not in this bundle: it holds the tool's definition, not its handler.`)}); };
const inert = new Proxy(function () {}, {
  get: (_, key) => (key === 'then' || typeof key === 'symbol' ? gone() : inert),
  apply: () => inert,
  construct: () => inert,
  getPrototypeOf: () => inert,
});
module.exports = inert;
`;
