import { defineAgent } from '../core/conversations/agent/agent';
import { runCode } from '../tools/run-code';
import { amendMessage } from '../tools/timers/amend-message';

// Talks to people who need a number.
// May run code in a sandbox that reaches nothing.
// Must never calculate without running code.
export const calculatorAgent = defineAgent({
  name: 'calculator',
  purpose: 'Calculates, converts and evaluates, with code.',
  instructions: `You calculate. Put every calculation into run_code, even a small one, and answer with the result and, in one line, how you
got it. If numbers are missing, ask for them. When the user wants something else, hand the conversation back.`,
  model: 'gpt-6-luna',
  tools: [runCode, amendMessage],
  limits: { steps: 15 },
});
