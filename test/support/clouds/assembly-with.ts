import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { build, loadFunctions } from '../../../infra/bundling/build';
import { functionVariables } from '../../../infra/bundling/function-variables';
import { quickly } from '../../../infra/synth';
import { VigilStack } from '../../../infra/vigil-app';
import type { VigilProps } from '../../../infra/vigil-props';
import { keptBundles, scenarioSources } from './synthesized';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/**
 * Synthesizes the scenarios' agents with other props, for as long as the test file runs. Each bundle has loaded with the variables of its function.
 *
 * @returns the folder of the assembly, and the variables of each bundle.
 */
export async function assemblyWith(props: Partial<VigilProps>) {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-assembly-'));
  folders.push(folder);
  const { modules = [] } = props;
  const sources = { ...scenarioSources, modules: modules.map(({ name }) => name) };
  const outdir = join(folder, 'assembly');
  const built = await build({ sources, outdir: folder, keptBundles: keptBundles(scenarioSources, modules) });
  const context = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true, ...quickly.context };
  const app = new App({ ...quickly, outdir, context });
  const stack = new VigilStack(app, 'Vigil', { agents: built, ...props });
  const variables = functionVariables(app.synth().getStackArtifact(stack.artifactId).templateFullPath);
  await loadFunctions(built, variables);
  return { folder: outdir, variables };
}
