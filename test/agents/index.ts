import { reminderAgent } from '../../agents/reminder-agent';
import { travelAgent } from '../../agents/travel-agent';
import { defineAgent } from '../../core/agent';
import { registry } from '../../core/registry';
import { currentTime } from '../../lambdas/tools/current-time';
import { schedule } from '../../lambdas/tools/schedule';
import { hit } from './tools/hit';
import { hitOnce } from './tools/hit-once';
import { largeResult } from './tools/large-result';
import { misbehave } from './tools/misbehave';

// The agents of the scenarios: the shipped ones, and some that go where those do not.
const tester = defineAgent({
  name: 'tester',
  purpose: 'Goes wherever a test sends it.',
  instructions: 'You are under test.',
  model: 'test-model',
  tools: [currentTime, schedule, hit, hitOnce, misbehave, largeResult],
  limits: { steps: 3_000 },
});

const brief = defineAgent({
  name: 'brief',
  purpose: 'Names no limits.',
  instructions: 'You are under test.',
  model: 'test-model',
  tools: [currentTime],
});

const planner = defineAgent({
  name: 'planner',
  purpose: 'Plans until the plan is complete, and asks.',
  instructions: 'Plan. Say PLAN COMPLETE when it is.',
  model: 'test-model',
  tools: [currentTime],
  limits: { steps: 20 },
  end: { phrase: 'PLAN COMPLETE' },
});

export const shipped = registry([reminderAgent, travelAgent, tester, brief, planner]);
