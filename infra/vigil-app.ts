import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import type { Registry } from '../core/agent/registry';
import { ConfigurationError } from '../core/text/errors';
import { bundle, bundleAgents } from './bundling/bundle';
import { type Entry, entries, root, type Sources, shippedSources } from './bundling/entries';
import { functionVariables } from './bundling/function-variables';
import { bundleChanged } from './bundling/kept-bundles';
import { loadBundles } from './bundling/load-bundles';
import { settingsFrom } from './settings';
import { VigilStack } from './vigil-stack';

export interface VigilApp {
  app: App;
  stack: VigilStack;
  /** The files that the kept bundles are made from (see `bundleChanged`). */
  inputs: string[];
  /**
   * Synthesizes, and loads each bundle with the variables that its function has.
   *
   * @throws ConfigurationError in one line.
   */
  synth(): Promise<CloudAssembly>;
}

/**
 * Bundles the functions into the assembly's folder and declares the stack. With `keptBundles`, a folder that is kept
 * between builds, only changed bundles are built.
 */
export async function vigilApp(
  props: AppProps = {},
  sources: Sources = shippedSources,
  env: NodeJS.ProcessEnv = process.env,
  keptBundles?: string,
): Promise<VigilApp> {
  const app = new App({
    ...props,
    context: {
      '@aws-cdk/aws-iam:minimizePolicies': true,
      // The CDK's command line sets both. The local cloud needs them to find bundles and name resources.
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
      ...props.context,
    },
  });
  // The command line passes a relative path.
  const outdir = resolve(app.outdir);
  const agents = await loadAgents(join(outdir, 'agents/index.js'), sources);
  const all = entries(agents, sources);
  const bundles = keptBundles ? resolve(keptBundles) : join(outdir, 'bundles');
  const inputs = keptBundles ? await bundleChanged(all, bundles, sources) : [];
  if (!keptBundles) await bundle(all, bundles, sources);
  const settings = settingsFrom(env);
  const stack = new VigilStack(app, 'Vigil', {
    description: 'Vigil: LLM agents that wait',
    agents,
    bundles,
    settings,
    page: settings.page === 'cloudfront' ? builtPage() : undefined,
  });
  return {
    app,
    stack,
    inputs,
    async synth() {
      const assembly = app.synth();
      await loadFunctions(all, bundles, assembly.getStackArtifact(stack.artifactId).templateFullPath);
      return assembly;
    },
  };
}

/** Loads the agents in a thread first, so that a mistake in them cannot end this process. */
async function loadAgents(file: string, sources: Sources): Promise<Registry> {
  await bundleAgents(file, sources);
  await loadBundles([{ name: `${sources.agents}/index.ts`, file, exports: 'shipped', variables: {} }]);
  // A second synthesis into the same folder loads the new file.
  delete require.cache[file];
  return (require(file) as { shipped: Registry }).shipped;
}

const loadFunctions = (all: Entry[], bundles: string, template: string): Promise<void> => {
  const variables = functionVariables(template);
  return loadBundles(
    all.map(({ id, file, tool }) => ({
      name: `${tool ? `tool ${tool}` : `function ${id}`} (${file})`,
      file: join(bundles, id, 'index.js'),
      exports: 'handler' as const,
      variables: variables[id]!,
    })),
  );
};

function builtPage(): string {
  const folder = join(root, 'web/dist');
  if (existsSync(join(folder, 'index.html'))) return folder;
  throw new ConfigurationError(
    'The page is not built: run npm run build:web, or set VIGIL_PAGE=none to deploy without it.',
  );
}
