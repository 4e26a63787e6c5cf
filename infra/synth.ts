import { resolve } from 'node:path';
import { type Sources, shippedSources } from './entries';
import { vigilApp } from './vigil-app';

export interface Synthesized {
  /** The folder of the cloud assembly; asset paths in the template are relative to it. */
  assembly: string;
  /** The template's file. */
  template: string;
}

/**
 * Synthesizes the stack in this process, offline, in under a second, for whoever has the page elsewhere: without its hosting.
 *
 * Neither the security rules nor the template's check against CloudFormation's schemas run, which would take two seconds
 * more: the command line does both before a deploy.
 *
 * @throws ConfigurationError in one line, when a tool or a function lacks its file.
 */
export async function synthesize(
  outdir: string,
  sources: Sources = shippedSources,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Synthesized> {
  const props = {
    outdir: resolve(outdir),
    analyticsReporting: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
  };
  const { app, stack } = await vigilApp(props, sources, { ...env, VIGIL_PAGE: 'none' });
  const assembly = app.synth();
  return { assembly: assembly.directory, template: assembly.getStackArtifact(stack.artifactId).templateFullPath };
}
