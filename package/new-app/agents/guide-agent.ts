import { defineAgent } from 'vigil';
import { currentTime } from 'vigil/tools/current-time';
import * as z from 'zod';
import { openingHours } from '../tools/opening-hours';

// Talks to visitors of the museum.
// May look up the opening hours.
// Must never sell or reserve anything.
export const guideAgent = defineAgent({
  name: 'guide',
  purpose: 'Tells when the museum is open.',
  instructions: `You answer visitors of a museum, in one or two sentences.

Call opening_hours before you say when the museum is open. Call current_time first if the visitor says "today" or
"tomorrow".`,
  model: 'gpt-6.1-terra',
  tools: [openingHours, currentTime],
  // The object with which a run ends: its `result`, for the program that asks.
  output: z.object({
    answer: z.string().describe('The answer, in one or two sentences'),
    day: z.string().nullable().describe('The day of the week that it is about; null for none'),
  }),
  examples: ['When are you open on Monday?'],
});
