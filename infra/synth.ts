import { resolve } from 'node:path';
import { type AppProps, AssetStaging } from 'aws-cdk-lib';
import {
  DISABLE_ASSET_STAGING_CONTEXT,
  DISABLE_CREATION_STACK_TRACES,
  DISABLE_LOGICAL_ID_METADATA,
} from 'aws-cdk-lib/cx-api';
import { type OwnSources, shippedSources } from './bundling/entries';
import { vigilApp } from './vigil-app';

export interface Synthesized {
  /** The folder of the cloud assembly. Asset paths in the template are relative to it. */
  assembly: string;
  /** The template's file. */
  template: string;
  /** The files that the bundles are made from, relative to the repository's root. Only with `keptBundles`. */
  inputs: string[];
}

/** The props that skip what the CDK need not do for a template alone. */
export const quickly: AppProps = {
  analyticsReporting: false,
  treeMetadata: false,
  stackTraces: false,
  builtinCloudFormationValidation: false,
  context: { [DISABLE_CREATION_STACK_TRACES]: true, [DISABLE_LOGICAL_ID_METADATA]: true },
};

/** The props for a template that is only read: the assets are not copied beside it. */
export const templateOnly: AppProps = {
  ...quickly,
  context: { ...quickly.context, [DISABLE_ASSET_STAGING_CONTEXT]: true },
};

/**
 * Synthesizes the stack without the hosted page, in this process and offline, in under a second.
 *
 * The security rules and the validation against CloudFormation's schemas are left out, because they take two seconds
 * more. The command line runs both before a deployment.
 *
 * @param keptBundles see `vigilApp`.
 * @throws ConfigurationError in one line, if something cannot be bundled or does not load.
 */
export async function synthesize(
  outdir: string,
  sources: OwnSources = shippedSources,
  env: NodeJS.ProcessEnv = process.env,
  keptBundles?: string,
): Promise<Synthesized> {
  // CDK caches bundles of an earlier synthesis in this process by their folders.
  AssetStaging.clearAssetHashCache();
  const { stack, inputs, synth } = await vigilApp(
    { outdir: resolve(outdir), ...quickly },
    sources,
    { ...env, VIGIL_PAGE: 'none' },
    keptBundles,
  );
  const assembly = await synth();
  const template = assembly.getStackArtifact(stack.artifactId).templateFullPath;
  return { assembly: assembly.directory, template, inputs };
}
