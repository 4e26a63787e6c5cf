import { type AgentSpec, defineAgent } from '../../core/conversations/agent/agent';
import { currentTime } from '../../tools/current-time';

/** An agent of the scenarios, with defaults for what a test does not set. */
export const underTest = (spec: Pick<AgentSpec, 'name' | 'purpose'> & Partial<AgentSpec>) =>
  defineAgent({
    instructions: 'You are under test.',
    model: 'test-model',
    tools: [currentTime],
    // Large enough to avoid summaries, unless the agent has a real model.
    contextTokens: spec.model ? 100_000 : 100_000_000,
    ...spec,
  });
