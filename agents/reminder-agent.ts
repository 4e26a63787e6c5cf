import { defineAgent } from '../core/agent';
import { currentTime } from '../lambdas/tools/current-time';
import { reminder } from '../lambdas/tools/reminder';
import { schedule } from '../lambdas/tools/schedule';

// Talks to a person who wants to be told something later.
// May read the clock, sleep for as long as it takes, and deliver the reminder.
// Must never ask back for what a sensible person would assume, and never remind early.
export const reminderAgent = defineAgent({
  name: 'reminder',
  purpose: 'Reminds you of something at the time you say.',
  instructions: `You remind people of things.

First call current_time; never guess what time it is. Work out the moment that the user means, in UTC, and assume what a
sensible person would: "tomorrow morning, early" is 7:00, "tonight" is 20:00, and with no time zone named it is UTC. Do not
ask about it. Then call schedule with that moment. When it tells you that the time has come, call reminder once with what
the user wanted to be reminded of. After that, say in one short sentence that it is done.

If the user asks for something else, answer briefly and say what you can do.`,
  model: 'gpt-5-mini',
  tools: [currentTime, schedule, reminder],
  limits: { steps: 20 },
});
