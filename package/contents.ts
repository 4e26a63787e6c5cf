import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { jobs } from '../infra/bundling/entries';
import { pagesBuild } from './pages/build';
import { place as root } from './place';

/** The contents of the package. It has two copies of some files, in the folders that they have in the repository. */
export interface Contents {
  /**
   * The code that Node runs: the construct, the local cloud, the command line, and what an app's code imports in its tests. It is
   * compiled to `dist`, file by file.
   */
  compiled: string[];
  /** TypeScript from which an app's synthesis bundles the functions, as a synthesis in this repository does. */
  sources: string[];
  /** The packages that either imports. */
  imports: string[];
}

/** The files of `exports` and `bin`, and those that are started in processes or threads of their own. */
const run = [
  'package/index.ts',
  'package/mcp.ts',
  'infra/index.ts',
  'modules/feedback/construct.ts',
  'modules/mcp-server/construct.ts',
  'modules/notices/construct.ts',
  'modules/schedules/construct.ts',
  'modules/telemetry/construct.ts',
  'package/testing/index.ts',
  'package/eval/index.ts',
  'package/cli/main.ts',
  'package/pages/client.ts',
  'package/pages/react.ts',
  'infra/bundling/build-process.ts',
  'infra/bundling/bundle-loader.ts',
  'local/lambda/worker.ts',
  'local/serve.ts',
];

/** What functions load of modules. */
const inFunctions = /^modules\/(?:index|[\w-]+\/(?:module|reconcile|functions\/[\w-]+))\.ts$/;

/** Follows the imports of all entries. */
export async function packageContents(): Promise<Contents> {
  const tools = filesIn('tools').filter((file) => !/^tools\/bank\//.test(file));
  const own = [
    'package/index.ts',
    'package/mcp.ts',
    ...tools,
    ...filesIn('lambdas'),
    ...filesIn('modules').filter((file) => inFunctions.test(file)),
    ...jobs.map(({ file }) => file),
  ];
  const functions = ['infra/bundling/lambda-credentials.ts', ...own];
  const [compiled, sources, ofPages] = [
    await followed([...run, ...tools]),
    await followed(functions),
    await followed(pagesBuild.entryPoints),
  ];
  return {
    compiled: Object.keys(compiled.inputs).sort(),
    sources: Object.keys(sources.inputs)
      .filter((file) => file !== 'package.json')
      .sort(),
    imports: [...new Set([compiled, sources, ofPages].flatMap(packagesOf))].sort(),
  };
}

async function followed(files: string[]): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: true,
    platform: 'node',
    packages: 'external',
    // An app has agents of its own.
    external: ['*/agents'],
    outdir: 'dist',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  return metafile;
}

function packagesOf({ inputs }: Metafile): string[] {
  const paths = Object.values(inputs).flatMap((input) => input.imports.filter(({ external }) => external));
  return paths
    .map(({ path }) => path)
    .filter((path) => !/^(?:node:|\.)/.test(path))
    .map((path) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
