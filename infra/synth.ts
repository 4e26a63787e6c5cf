import { resolve } from 'node:path';
import { AssetStaging } from 'aws-cdk-lib';
import { type Sources, shippedSources } from './bundling/entries';
import { vigilApp } from './vigil-app';

export interface Synthesized {
  /** The folder of the cloud assembly; asset paths in the template are relative to it. */
  assembly: string;
  /** The template's file. */
  template: string;
  /** The files that the bundles are made from, with `keptBundles`; from the repository's root. */
  inputs: string[];
}

/**
 * Synthesizes the stack in this process, offline, in under a second, for whoever has the page elsewhere: without its hosting.
 *
 * Neither the security rules nor the template's check against CloudFormation's schemas run, which would take two seconds
 * more: the command line does both before a deploy.
 *
 * @param keptBundles see `vigilApp`.
 * @throws ConfigurationError in one line, when something cannot be bundled or does not load.
 */
export async function synthesize(
  outdir: string,
  sources: Sources = shippedSources,
  env: NodeJS.ProcessEnv = process.env,
  keptBundles?: string,
): Promise<Synthesized> {
  // It remembers the bundles of an earlier synthesis in this process by their folders.
  AssetStaging.clearAssetHashCache();
  const props = {
    outdir: resolve(outdir),
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
  };
  const { stack, inputs, synth } = await vigilApp(props, sources, { ...env, VIGIL_PAGE: 'none' }, keptBundles);
  const assembly = await synth();
  const template = assembly.getStackArtifact(stack.artifactId).templateFullPath;
  return { assembly: assembly.directory, template, inputs };
}
