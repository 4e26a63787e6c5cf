import { synthesize } from '../../infra/synth';
import { assembly } from './assembly';

/** Jest calls this once before the scenarios: they all run one template, with the shipped agents and those under test. */
export default async function synthesizeOnce(): Promise<void> {
  await synthesize(assembly, { agents: 'test/agents', tools: ['lambdas/tools', 'test/agents/tools'] });
}
