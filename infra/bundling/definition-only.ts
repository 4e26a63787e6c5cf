import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { OnLoadResult, OnResolveArgs, Plugin } from 'esbuild';
import { definitionOf } from './definition-of';
import { modulesFolder, type Sources, shippedTools } from './entries';

/**
 * A tool's file holds its definition and its handler. CallModel, the API and the agents need only the definition,
 * without the handler's imports. With this plugin, an import of a tool from outside the tools' folders resolves to its
 * definition (`definitionOf`) and the definition's imports. An entry point in a tools' folder is bundled whole, with
 * its imports from that folder. The agents always come from `sources`, whichever index the importer names.
 *
 * An import of a tool contains the name of its folder. The filters are that narrow because each match is a round trip
 * between esbuild's process and this one. If they matched every import, a build would take five times as long.
 */
export function definitionOnly(root: string, sources: Sources): Plugin {
  const inside = (folder: string, path: string) => relative(root, path).split(sep).join('/').startsWith(`${folder}/`);
  const folders = [...sources.tools, shippedTools];
  const isTool = (path: string) => folders.some((folder) => inside(folder, path));
  const names = [...new Set(folders.map((folder) => basename(folder).replace(/\W/g, '\\$&')))].join('|');
  return {
    name: 'definition-only',
    setup(build) {
      const resolve = async (args: OnResolveArgs) => {
        if (args.kind === 'entry-point' || args.pluginData === asked) return undefined;
        const { path, resolveDir, importer, kind } = args;
        const found = await build.resolve(path, { resolveDir, importer, kind, pluginData: asked });
        return isTool(found.path) && found.path.endsWith('.ts') ? { ...found, namespace: 'definition' } : found;
      };
      build.onResolve({ filter: new RegExp(`(^|[\\\\/])(${names})([\\\\/]|$)`), namespace: 'file' }, resolve);
      build.onResolve({ filter: new RegExp(`^\\.|[\\\\/](${names})([\\\\/]|$)`), namespace: 'definition' }, resolve);
      build.onLoad({ filter: /\.ts$/, namespace: 'definition' }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        // esbuild reports a file that cannot be parsed, with the line of the error.
        const contents = await definitionOf(source, relative(process.cwd(), path)).catch(() => source);
        return { contents, loader: 'ts', resolveDir: dirname(path) };
      });
      const agents = join(root, sources.agents);
      const index = { path: join(agents, 'index.ts'), namespace: hasIndex(agents) ? 'file' : 'agents' };
      build.onResolve({ filter: /^(?:\.\.?[\\/])+agents$/, namespace: 'file' }, ({ importer }) =>
        inside('lambdas', importer) || inside(modulesFolder, importer) ? index : undefined,
      );
      build.onResolve({ filter: new RegExp(`^${agentsEntry}$`) }, () => index);
      build.onLoad({ filter: /[\\/]agents[\\/]index\.ts$/, namespace: 'file' }, async ({ path }) =>
        (await readFile(path, 'utf8')).includes('readdirSync(__dirname)') ? listOf(root, dirname(path)) : undefined,
      );
      build.onLoad({ filter: /./, namespace: 'agents' }, () => listOf(root, agents));
      const folder = join(root, modulesFolder);
      build.onLoad({ filter: /[\\/]modules[\\/](index|api|models|reconcile)\.ts$/, namespace: 'file' }, ({ path }) =>
        dirname(path) === folder ? listOfModules(sources.modules, folder, partOf[basename(path, '.ts')]!) : undefined,
      );
    },
  };
}

/** The entry point that exports the agents of `sources`. */
export const agentsEntry = 'vigil:agents';

/** Whether the folder has an index of its own, which exports the registry `shipped`. */
export const hasIndex = (agents: string): boolean => existsSync(join(agents, 'index.ts'));

/** Returns an index of all files of a folder whose names end in `-agent.ts`. */
async function listOf(root: string, folder: string): Promise<OnLoadResult> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('-agent.ts')).sort();
  const imports = files.map((file, index) => `import * as agents${index} from './${file.slice(0, -'.ts'.length)}';`);
  const all = files.map((_, index) => `...Object.values(agents${index})`).join(', ');
  const contents = `import { registry } from ${JSON.stringify(join(root, 'core/conversations/agent/registry'))};\n${imports.join('\n')}\nexport const agents = [${all}];\nexport const shipped = registry(agents);`;
  return { contents, loader: 'ts', resolveDir: folder };
}

/** The file of a module that a list has, and what it exports. */
const partOf: Record<string, { file: string; exports: string }> = {
  index: { file: 'module', exports: 'inFunctions' },
  api: { file: 'api', exports: 'inApi' },
  models: { file: 'model', exports: 'inModel' },
  reconcile: { file: 'reconcile', exports: 'inReconcile' },
};

/** Returns an index of those modules that an app has and that have this part: what a file of their folders exports. */
function listOfModules(
  listed: readonly string[],
  folder: string,
  part: { file: string; exports: string },
): OnLoadResult {
  const names = listed.filter((name) => existsSync(join(folder, name, `${part.file}.ts`)));
  const imports = names.map(
    (name, index) => `import { ${part.exports} as module${index} } from './${name}/${part.file}';`,
  );
  const contents = `${imports.join('\n')}\nexport const modules = [${names.map((_, index) => `module${index}`).join(', ')}];`;
  return { contents, loader: 'ts', resolveDir: folder };
}

/** Marks requests that the plugin itself sends to esbuild's resolver, so it does not handle them again. */
const asked = Symbol('asked by definition-only');
