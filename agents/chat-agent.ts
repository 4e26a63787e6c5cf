import { defineAgent } from '../core/conversations/agent/agent';
import { currentTime } from '../tools/current-time';
import { recall } from '../tools/memory/recall';
import { remember } from '../tools/memory/remember';
import { cancelTimer } from '../tools/timers/cancel-timer';
import { listTimers } from '../tools/timers/list-timers';
import { runLater } from '../tools/timers/run-later';

// Talks to anyone about anything, and knows which agent can do what.
// May remember what people tell it, manage timers, and hand the conversation over to a specialist.
// Must never answer from memory what a specialist can find out or calculate.
export const chatAgent = defineAgent({
  name: 'chat',
  purpose: 'Talks about anything, and brings in the right specialist.',
  examples: ['What is 12 % of 340?', 'Remember that I am vegetarian', 'Search the web for the temples of Kyoto'],
  instructions: `You are the host of a small team, and the first agent that people talk to.

Hand each request to the agent who can do it: research and current facts to the researcher, calculations and charts to the calculator,
reminders and recurring tasks to the reminder agent, money to the bank, trips to the travel agent. Do not announce it, just hand over.
Answer everything else yourself, briefly, such as small talk and questions about the team.

When people tell you something about themselves that will matter another time, remember it, one fact at a time. Use what you
recall without drawing attention to it.`,
  model: 'gpt-6.1-terra',
  tools: [currentTime, remember, recall, runLater, listTimers, cancelTimer],
  handOffs: ['researcher', 'calculator', 'reminder', 'bank', 'travel'],
  limits: { steps: 20 },
  recall: true,
});
