import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildFailure, build, type Metafile, type Plugin } from 'esbuild';
import { ConfigurationError } from '../../core/base/text/errors';
import { functionTools, type Registry } from '../../core/conversations/agent/registry';
import { functionName } from '../../core/conversations/agent/tool';
import { sourceMissing } from '../../core/conversations/agent/tool-checks';
import { buildProblem } from './build-problem';
import { binaryFiles } from './bundle';
import { type Entry, root, shownPath } from './entries';

/** Node's modules by which a program reaches others. */
const network = /^(?:node:)?(?:https?|http2|net|tls|dgram|dns|child_process)(?:\/|$)/;
/** AWS's clients, but for the commands of Vigil's own table. */
const awsClients = /^(?:@aws-sdk\/(?!lib-dynamodb|client-dynamodb|util-dynamodb)|@smithy\/)/;
/** The globals by which a program reaches others without an import. */
const globals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'];

/**
 * Words from outside count as such only if their tool names its `source`. A tool that reaches the network must therefore name one, or
 * say `none`: what its own files and packages import and call is looked through. Vigil's own code is not, nor is code that hides the
 * call, such as `globalThis[name]`.
 *
 * @throws ConfigurationError naming the tool, the file and what it reaches.
 */
export async function assertSourcesNamed(agents: Registry, entries: Entry[]): Promise<void> {
  const unnamed = functionTools(agents).filter(({ source, foreign }) => source === undefined && !foreign);
  const files = entries.filter(({ tool }) => tool && unnamed.some((one) => functionName(one) === tool));
  if (files.length === 0) return;
  const { inputs, outputs } = await scanned(files);
  for (const { entryPoint, inputs: used } of Object.values(outputs)) {
    const file = files.find((one) => join(root, one.file) === join(root, entryPoint!));
    const reached = Object.keys(used)
      .filter((path) => used[path]!.bytesInOutput > 0)
      .flatMap((path) => reachedBy(path, inputs[path]!.imports, entryPoint!));
    const [first] = reached;
    if (file && first) throw new ConfigurationError(`tool ${file.tool}: source: ${sourceMissing(first)}`);
  }
}

function reachedBy(path: string, imports: Metafile['inputs'][string]['imports'], entryPoint: string): string[] {
  const called = /vigil-globals-\w+[\\/](\w+)\.js$/.exec(path)?.[1];
  if (called) return [`${shownPath(entryPoint)} calls ${called}`];
  return imports.flatMap(({ path: target, external }) => {
    const isReaching = network.test(target) || awsClients.test(target);
    return external && isReaching ? [`${shownPath(path)} imports ${target}`] : [];
  });
}

/** Bundles the tools without what is Vigil's own, and writes no bundle. */
async function scanned(files: Entry[]): Promise<Metafile> {
  // A global's file is part of a bundle that uses the global, and only where no other thing has its name.
  const folder = await mkdtemp(join(tmpdir(), 'vigil-globals-'));
  const inject = globals.map((name) => join(folder, `${name}.js`));
  try {
    for (const [index, name] of globals.entries()) await writeFile(inject[index]!, `export const ${name} = 1;`);
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: files.map(({ file }) => join(root, file)),
      outdir: folder,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      target: 'node20',
      format: 'esm',
      mainFields: ['module', 'main'],
      conditions: ['vigil-source', 'module'],
      loader: binaryFiles,
      logLevel: 'silent',
      inject,
      define: Object.fromEntries(globals.map((name) => [`globalThis.${name}`, name])),
      plugins: [borders],
    });
    return metafile;
  } catch (failure) {
    throw buildProblem(failure as BuildFailure);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const asked = Symbol('asked by named-sources');

/** Stops at Vigil's own code, and at packages whose answer is known. */
const borders: Plugin = {
  name: 'named-sources',
  setup(onBuild) {
    onBuild.onResolve({ filter: /^(?:@aws-sdk|@smithy|zod)(?:\/|$)/ }, ({ path }) => ({ path, external: true }));
    onBuild.onResolve({ filter: /./, namespace: 'file' }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === asked || kind === 'entry-point' || isBuiltin(path)) return undefined;
      const found = await onBuild.resolve(path, { importer, resolveDir, kind, pluginData: asked });
      const isOwn = ['core', 'runtime', 'modules', 'package'].some((folder) =>
        found.path.startsWith(`${join(root, folder)}/`),
      );
      return isOwn ? { path: found.path, external: true } : found;
    });
  },
};
