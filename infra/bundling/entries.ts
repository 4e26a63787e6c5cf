import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { modulesOf } from '../../core/base/models/provider';
import { ConfigurationError } from '../../core/base/text/errors';
import { functionTools, isolatedTools, type Registry } from '../../core/conversations/agent/registry';
import { type FunctionTool, functionName } from '../../core/conversations/agent/tool';
import { functionId } from '../../statemachines/function-id';
import { isCompiled } from './compiled';

/**
 * A Lambda function: the id of its construct, and the file that exports its `handler`, relative to the repository's
 * root.
 */
export interface Entry {
  id: string;
  file: string;
  /** The tool, or the MCP server, that the function serves. */
  tool?: string;
  /** The tool as agents use it, as JSON, by which its own file is compared. */
  definition?: string;
}

/**
 * The folder that the paths of sources are relative to: this repository, or the installed package. The package's
 * compiled code, which this file is then part of, is in its folder `dist`.
 */
export const root = resolve(__dirname, isCompiled(__filename) ? '../../..' : '../..');

/** The folders of a deployment's agents and tools, relative to the repository's root. Tools may be in subfolders. */
export interface Sources {
  /** The folder's index exports the registry `shipped`. Without one, the agents are all exports of its files `*-agent.ts`. */
  agents: string;
  tools: string[];
  /** The names of the modules that the app has: folders of `modules`. */
  modules: readonly string[];
}

/** What this repository's app takes from folders. Its modules follow from its environment variables. */
export type OwnSources = Omit<Sources, 'modules'>;

/** The tools that come with Vigil, which any agent may use. */
export const shippedTools = 'tools';
/** The folder of modules. */
export const modulesFolder = 'modules';
/** All modules that come with Vigil. */
export const shippedModules: readonly string[] = readdirSync(join(root, modulesFolder), { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name)
  .sort();
/** Those that an app lists have a construct. */
const listed = shippedModules.filter((name) => existsSync(join(root, modulesFolder, name, 'construct.ts')));
export const shippedSources: Sources = { agents: 'agents', tools: [shippedTools], modules: listed };

/** Returns the sources with the modules that call the models of the agents' providers: an app does not list them. */
export const withProviders = (sources: Sources, { providers }: Registry): Sources => ({
  ...sources,
  modules: [...new Set([...sources.modules, ...modulesOf(providers.values())])],
});

/**
 * Returns the sources for folders anywhere.
 *
 * @throws ConfigurationError for a folder that does not exist.
 */
export function sourcesIn(agents: string, tools: string[], modules: readonly string[]): Sources {
  const fromRoot = (prop: string, folder: string) => {
    const path = resolve(folder);
    if (!existsSync(path)) throw new ConfigurationError(`${prop}: the folder ${path} does not exist.`);
    return relative(root, realpathSync(path)).split(sep).join('/');
  };
  return { agents: fromRoot('agents', agents), tools: tools.map((folder) => fromRoot('tools', folder)), modules };
}

/** Returns a path that is relative to `root` as people know it (see `pathInApp`). */
export const shownPath = (file: string): string => pathInApp(resolve(root, file));

/** Returns a path that exists as seen from here: relative to the app's folder, or absolute for a file outside of it. */
export function pathInApp(path: string): string {
  const inside = relative(process.cwd(), path).split(sep).join('/');
  return inside.startsWith('../') || isAbsolute(inside) ? path : inside;
}

/** The code of a child process, a file beside its function's own: it is larger than the function, and few calls need it. */
export interface JobCode {
  file: string;
  /** Of the file in the function's folder, without its extension. */
  name: string;
  /** Whether the function has it. */
  isOf(entry: Entry): boolean;
}

export const documentJob: JobCode = {
  file: 'lambdas/models/documents/read-document.ts',
  name: 'read-document',
  isOf: ({ id }) => id === 'CallModel',
};
export const pictureJob: JobCode = {
  file: 'runtime/draw-picture.ts',
  name: 'draw-picture',
  // An app's own tool of that name has another file.
  isOf: ({ file }) => file === `${shippedTools}/run-code.ts`,
};
export const jobs = [documentJob, pictureJob];

const platform: Entry[] = [
  { id: 'CallModel', file: 'lambdas/call-model.ts' },
  { id: 'Ask', file: 'lambdas/ask.ts' },
  { id: 'Api', file: 'lambdas/api.ts' },
  { id: 'Settle', file: 'lambdas/settle.ts' },
  { id: 'Embed', file: 'lambdas/embed.ts' },
  { id: 'Relay', file: 'lambdas/relay.ts' },
  { id: 'Reconcile', file: 'lambdas/reconcile.ts' },
  { id: 'Connections', file: 'lambdas/live/connections.ts' },
  { id: 'Broadcast', file: 'lambdas/live/broadcast.ts' },
];

/**
 * Returns every function of a deployment: the platform's functions, and one for each function tool that an agent may
 * use.
 *
 * @throws ConfigurationError in one line, for no agent, a tool without a file and two functions with one id.
 */
export function entries(agents: Registry, sources: Sources = shippedSources): Entry[] {
  const folder = shownPath(sources.agents);
  if (!(agents.agents instanceof Map))
    throw new ConfigurationError(`${folder}/index.ts: shipped: must be registry([…])`);
  if (agents.agents.size === 0)
    throw new ConfigurationError(
      `${folder} has no agent: an agent is an export of a file like ${folder}/chat-agent.ts`,
    );
  const own = functionTools(agents).filter(({ foreign }) => !foreign);
  const tools = own.filter(isFirstOfItsFunction).map((tool) => {
    const name = functionName(tool);
    const definition = tool.server === undefined ? { definition: definitionText(tool) } : {};
    return { id: functionId(name), file: toolFile(name, sources.tools), tool: name, ...definition };
  });
  const runIsolated = isolatedTools(agents).length > 0 ? [{ id: 'RunIsolated', file: 'lambdas/run-isolated.ts' }] : [];
  const ofModules = sources.modules.flatMap(functionsOfModule);
  const all: Entry[] = [...platform, ...ofModules, ...runIsolated, ...tools];
  const twice = all.find(({ id }, index) => all.findIndex((other) => other.id === id) !== index);
  if (twice)
    throw new ConfigurationError(
      `tool in ${shownPath(twice.file)}: its function would be ${twice.id}, which exists already`,
    );
  return all;
}

/** A module's functions are the files of its folder `functions`. */
export function functionsOfModule(name: string): Entry[] {
  const folder = `${modulesFolder}/${name}/functions`;
  if (!existsSync(join(root, folder))) return [];
  return filesIn(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => ({ id: functionId(basename(file, '.ts').replaceAll('-', '_')), file }));
}

const definitionText = ({ description, effect, source = null as never, timeoutSeconds }: FunctionTool): string =>
  JSON.stringify([description, effect, source, timeoutSeconds]);

/** The tools of an MCP server share a function. A tool with the name of a server would have one more, which `twice` finds. */
const isFirstOfItsFunction = ({ server }: FunctionTool, index: number, all: FunctionTool[]): boolean =>
  server === undefined || all.findIndex((other) => other.server === server) === index;

function toolFile(name: string, folders: string[]): string {
  const fileName = `${name.replaceAll('_', '-')}.ts`;
  const matching = (folder: string) => filesIn(folder).filter((path) => basename(path) === fileName);
  const own = folders.flatMap(matching);
  const [file, other] = own.length > 0 ? own : matching(shippedTools);
  const where = (folders.length > 0 ? folders : [shippedTools])
    .map((folder) => `${shownPath(folder)}/**/${fileName}`)
    .join(' or ');
  if (!file)
    throw new ConfigurationError(`tool ${name}: expected its definition and handler in ${where}, which does not exist`);
  if (other)
    throw new ConfigurationError(
      `tool ${name}: both ${shownPath(file)} and ${shownPath(other)} match: rename one of them`,
    );
  return file;
}

/**
 * @returns paths relative to the repository's root.
 */
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => `${folder}/${path.split(sep).join('/')}`);
