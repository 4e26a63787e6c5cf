import { assembly } from './assembly';
import { compileCloud } from './compile-cloud';
import { scenarioSources, synthesized } from './synthesized';

/** Jest calls this once before the scenarios: they all run one template, with the shipped agents and those under test, in clouds of one kind. */
export default async function synthesizeOnce(): Promise<void> {
  await compileCloud();
  await synthesized(assembly, scenarioSources);
}
