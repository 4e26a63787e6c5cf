import { type AgentSpec, defineAgent } from '../../core/agent/agent';
import { currentTime } from '../../tools/current-time';

/** An agent of the scenarios: what a test does not care about is the same for all. */
export const underTest = (spec: Pick<AgentSpec, 'name' | 'purpose'> & Partial<AgentSpec>) =>
  defineAgent({
    instructions: 'You are under test.',
    model: 'test-model',
    tools: [currentTime],
    // Nothing is summarised unless a test is about that. A real model has a window.
    contextTokens: spec.model ? 100_000 : 100_000_000,
    ...spec,
  });
