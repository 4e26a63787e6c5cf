import { synthesize } from '../../infra/synth';
import { assembly } from './assembly';
import { compileCloud } from './compile-cloud';

/** Jest calls this once before the scenarios: they all run one template, with the shipped agents and those under test, in clouds of one kind. */
export default async function synthesizeOnce(): Promise<void> {
  await compileCloud();
  await synthesize(assembly, { agents: 'test/agents', tools: ['lambdas/tools', 'test/agents/tools'] });
}
