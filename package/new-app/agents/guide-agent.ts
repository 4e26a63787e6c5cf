import { defineAgent } from 'vigil';
import { currentTime } from 'vigil/tools/current-time';
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
  examples: ['When are you open on Monday?'],
});
