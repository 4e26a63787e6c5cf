import { join } from 'node:path';
import { type OwnSources, root, shippedSources } from '../../../infra/bundling/entries';
import type { VigilModule } from '../../../infra/module';
import { type Synthesized, synthesize } from '../../../infra/synth';
import { modulesFrom } from '../../../modules/app';

/** The shipped agents and those of the scenarios. */
export const scenarioSources: OwnSources = { agents: 'test/agents', tools: ['tools', 'test/agents/tools'] };

/** The variables of the scenarios' deployment. */
export const scenarioVariables = { VIGIL_MCP: 'http://localhost:8976/callback' };

/** The folder of the bundles after a synthesis: `<id>/index.js`. Those of other agents, or with other modules, are in another one. */
export const keptBundles = ({ agents }: OwnSources = shippedSources, modules: readonly VigilModule[] = []): string =>
  join(root, '.vigil/test/bundles', [agents.replaceAll('/', '-'), ...modules.map(({ name }) => name)].join('-with-'));

/**
 * Synthesizes with bundles kept between tests. Only changed bundles are built, because bundling is most of the cost.
 */
export const synthesized = (
  outdir: string,
  sources: OwnSources = shippedSources,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Synthesized> => synthesize(outdir, sources, env, keptBundles(sources, modulesFrom(env)));
