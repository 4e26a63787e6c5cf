import { assembly } from './assembly';
import { compileCloud } from './compile-cloud';
import { scenarioSources, synthesized } from './synthesized';

/**
 * Jest's global setup of the scenarios: all run one template with the shipped agents and the test agents, in compiled
 * clouds.
 */
export default async function synthesizeOnce(): Promise<void> {
  await compileCloud();
  await synthesized(assembly, scenarioSources);
}
