import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { ConfigurationError } from '../core/errors';
import type { Registry } from '../core/registry';
import { bundle } from './bundle';
import { entries, root, type Sources, shippedSources } from './entries';
import { settingsFrom } from './settings';
import { VigilStack } from './vigil-stack';

/** Bundles the functions into the assembly's folder and declares the stack. The caller synthesizes. */
export async function vigilApp(
  props: AppProps = {},
  sources: Sources = shippedSources,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ app: App; stack: VigilStack }> {
  // The SDK, which the tools import, announces the end of Node 20 wherever it is loaded. Lambda runs Node 24.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  const { shipped } = (await import(join(root, sources.agents))) as { shipped: Registry };
  const app = new App({
    ...props,
    context: {
      '@aws-cdk/aws-iam:minimizePolicies': true,
      // The command line sets these two by itself. What runs the template elsewhere finds bundles and names by them.
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
      ...props.context,
    },
  });
  const bundles = join(app.outdir, 'bundles');
  await bundle(entries(shipped, sources), bundles, sources);
  const settings = settingsFrom(env);
  const stack = new VigilStack(app, 'Vigil', {
    description: 'Vigil: LLM agents that wait',
    agents: shipped,
    bundles,
    settings,
    page: settings.page === 'cloudfront' ? builtPage() : undefined,
  });
  return { app, stack };
}

function builtPage(): string {
  const folder = join(root, 'web/dist');
  if (existsSync(join(folder, 'index.html'))) return folder;
  throw new ConfigurationError(
    'The page is not built: npm run build:web builds it, VIGIL_PAGE=none deploys without one.',
  );
}
