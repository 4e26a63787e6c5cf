import { spawnSync } from 'node:child_process';
import { extname, join } from 'node:path';
import { ConfigurationError } from '../../core/base/text/errors';
import type { Registry } from '../../core/conversations/agent/registry';
import { bundle, bundleAgents } from './bundle';
import { loaderFor } from './compiled';
import { hasIndex } from './definition-only';
import { type Entry, entries, root, type Sources, shownPath, withProviders } from './entries';
import { bundleChanged } from './kept-bundles';
import { loadBundles } from './load-bundles';
import { assertSourcesNamed } from './named-sources';

export interface BuildOrder {
  sources: Sources;
  /** The folder for what is built. */
  outdir: string;
  /** A folder that is kept between builds, for bundles. Only changed ones are built. */
  keptBundles?: string;
}

export interface Built {
  agents: Registry;
  /** The folder of the bundles: `<id>/index.js`. */
  bundles: string;
  /** The file from which the agents are loaded. */
  definitions?: string;
}

export interface Build extends Built {
  entries: Entry[];
  /** The files that the kept bundles are made from (see `bundleChanged`). */
  inputs: string[];
}

/**
 * Bundles the agents and the functions. The agents are loaded in a thread first, so that a mistake in them cannot end
 * this process.
 *
 * @throws ConfigurationError in one line.
 */
export async function build({ sources, outdir, keptBundles }: BuildOrder): Promise<Build> {
  const file = agentsFile(outdir);
  await bundleAgents(file, sources);
  const folder = shownPath(sources.agents);
  const name = hasIndex(join(root, sources.agents)) ? `${folder}/index.ts` : `the folder ${folder}`;
  await loadBundles([{ name, file, exports: 'shipped', variables: {} }]);
  const agents = registryIn(file);
  const used = withProviders(sources, agents);
  const all = entries(agents, used);
  await assertSourcesNamed(agents, all);
  const bundles = keptBundles ?? join(outdir, 'bundles');
  const inputs = keptBundles ? await bundleChanged(all, bundles, used) : [];
  if (!keptBundles) await bundle(all, bundles, used);
  return { agents, bundles, definitions: file, entries: all, inputs };
}

/**
 * Loads each bundle with the variables that its function has.
 *
 * @throws ConfigurationError in one line.
 */
export const loadFunctions = (
  { entries: all, bundles }: Pick<Build, 'entries' | 'bundles'>,
  variables: Record<string, Record<string, string>>,
): Promise<void> =>
  loadBundles(
    // Embed is bundled in any case, and deployed where messages are embedded.
    all
      .filter(({ id }) => variables[id])
      .map(({ id, file, tool, definition }) => ({
        name: `${tool ? `tool ${tool}` : `function ${id}`} (${shownPath(file)})`,
        file: join(bundles, id, 'index.js'),
        exports: 'handler' as const,
        variables: variables[id]!,
        ...(tool && { serves: { name: tool, definition } }),
      })),
  );

/** An order to `build-process.ts`: to build, or to load what has been built. */
export type Order = { build: BuildOrder } | { load: Parameters<typeof loadFunctions> };
/** For `build`: all but the agents, which are not JSON. */
export type Answer = { problem: string } | { built?: Omit<Build, 'agents'> };

/** As `build`, but finished when it returns: the constructor of a construct cannot wait. */
export function buildNow(order: BuildOrder): Build {
  const { built } = ask({ build: order });
  return { ...built!, agents: registryIn(agentsFile(order.outdir)) };
}

/** As `loadFunctions`, but finished when it returns. */
export const loadFunctionsNow = (...load: Parameters<typeof loadFunctions>): void => void ask({ load });

function ask(order: Order): Exclude<Answer, { problem: string }> {
  const script = join(__dirname, `build-process${extname(__filename)}`);
  const { stdout, stderr, error } = spawnSync(process.execPath, [...loaderFor(script), script], {
    input: JSON.stringify(order),
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const line = stdout?.split('\n').find((one) => one.startsWith('{'));
  if (!line) throw new ConfigurationError(`The agents could not be bundled: ${error?.message ?? stderr.trim()}`);
  const answer = JSON.parse(line) as Answer;
  if ('problem' in answer) throw new ConfigurationError(answer.problem);
  return answer;
}

const agentsFile = (outdir: string): string => join(outdir, 'agents/index.js');

/** A second build into the same folder loads the new file. */
function registryIn(file: string): Registry {
  delete require.cache[file];
  return (require(file) as { shipped: Registry }).shipped;
}
