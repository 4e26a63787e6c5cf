import { assembly } from './assembly';
import { compileCloud } from './compile-cloud';
import { type SharedClouds, shareClouds } from './shared-clouds';
import { scenarioSources, scenarioVariables, synthesized } from './synthesized';

/**
 * Jest's global setup of the scenarios: all run one template with the shipped agents and the test agents, in compiled
 * clouds that their files share.
 */
export default async function synthesizeOnce(): Promise<void> {
  await compileCloud();
  await synthesized(assembly, scenarioSources, { ...process.env, ...scenarioVariables });
  const shared = globalThis as { vigilClouds?: SharedClouds };
  shared.vigilClouds ??= await shareClouds();
  process.env.VIGIL_TEST_CLOUDS = shared.vigilClouds.url;
}
