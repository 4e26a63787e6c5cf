import { join, resolve } from 'node:path';
import { App } from 'aws-cdk-lib';
import { shipped } from '../agents';
import { bundle } from './bundle';
import { entries } from './entries';
import { settingsFrom } from './settings';
import { VigilStack } from './vigil-stack';

export interface Synthesized {
  /** The folder of the cloud assembly; asset paths in the template are relative to it. */
  assembly: string;
  /** The template's file. */
  template: string;
}

/** Synthesizes the stack in this process: offline, without the CDK's command line and without the security rules. */
export async function synthesize(outdir: string): Promise<Synthesized> {
  const folder = resolve(outdir);
  const bundles = join(folder, 'bundles');
  await bundle(entries(shipped), bundles);
  const app = new App({
    outdir: folder,
    analyticsReporting: false,
    treeMetadata: false,
    context: { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true },
  });
  const stack = new VigilStack(app, 'Vigil', { agents: shipped, bundles, settings: settingsFrom(process.env) });
  const assembly = app.synth();
  return { assembly: assembly.directory, template: assembly.getStackArtifact(stack.artifactId).templateFullPath };
}
