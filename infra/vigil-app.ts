import { resolve } from 'node:path';
import { App, type AppProps, Stack, type StackProps } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import { modulesFrom } from '../modules/app';
import { build, loadFunctions } from './bundling/build';
import { type OwnSources, shippedSources } from './bundling/entries';
import { functionVariables } from './bundling/function-variables';
import { pageFrom } from './settings';
import { optionsOfModules } from './settings-table';
import { Vigil } from './vigil';
import type { VigilProps } from './vigil-props';

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

/** A stack with nothing but a Vigil. An id of `Default` adds nothing to the logical ids. */
export class VigilStack extends Stack {
  constructor(scope: Construct, id: string, props: VigilProps, ofStack: StackProps = {}) {
    super(scope, id, ofStack);
    new Vigil(this, 'Default', props);
  }
}

/**
 * Bundles the functions into the assembly's folder and declares the stack. With `keptBundles`, a folder that is kept
 * between builds, only changed bundles are built.
 */
export async function vigilApp(
  props: AppProps = {},
  sources: OwnSources = shippedSources,
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
  const modules = modulesFrom(env);
  const listed = { ...sources, modules: modules.map(({ name }) => name) };
  const order = { sources: listed, outdir: resolve(app.outdir), keptBundles: keptBundles && resolve(keptBundles) };
  const { inputs, ...built } = await build(order);
  const vigil: VigilProps = {
    agents: built,
    modules,
    page: pageFrom(env.VIGIL_PAGE ?? '').hosted,
    // Its modules have been made of theirs.
    variables: Object.fromEntries(Object.entries(env).filter(([name]) => !optionsOfModules.has(name))),
  };
  const stack = new VigilStack(app, 'Vigil', vigil, { description: 'Vigil: LLM agents that wait' });
  return {
    app,
    stack,
    inputs,
    async synth() {
      const assembly = app.synth();
      await loadFunctions(built, functionVariables(assembly.getStackArtifact(stack.artifactId).templateFullPath));
      return assembly;
    },
  };
}
