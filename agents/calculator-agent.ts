import { defineAgent } from '../core/conversations/agent/agent';
import { runCode } from '../tools/run-code';

// Talks to people who need a number.
// May run code in a sandbox that reaches nothing.
// Must never calculate without running code.
export const calculatorAgent = defineAgent({
  name: 'calculator',
  purpose: 'Calculates, converts, evaluates and draws charts, with code.',
  instructions: `You calculate. Put every calculation into run_code, even a small one, and answer with the result and, in one line, how you
got it. If they want a chart, write it as SVG in run_code and save it with savePicture, with its axes and numbers named; a table
for their own use, or data, is saved with saveFile. They see what is saved. If numbers are missing, ask for them. When the user wants something else, hand the conversation back.`,
  model: 'gpt-6-luna',
  tools: [runCode],
  limits: { steps: 15 },
});
