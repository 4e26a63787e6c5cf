import { type AgentSpec, defineAgent } from '../../core/agent';
import { currentTime } from '../../lambdas/tools/current-time';

/** An agent of the scenarios: what a test does not care about is the same for all. */
export const underTest = (spec: Pick<AgentSpec, 'name' | 'purpose'> & Partial<AgentSpec>) =>
  defineAgent({
    instructions: 'You are under test.',
    model: 'test-model',
    tools: [currentTime],
    contextTokens: 100_000_000,
    ...spec,
  });
