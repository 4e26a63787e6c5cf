import { atMost, called, defineEval, neverCalled, neverSays, says } from 'vigil/eval';

// Is the guide good? `npm run eval` plays these conversations, with the model of the agent if OPENAI_API_KEY is set.
export default defineEval({
  name: 'guide',
  agent: 'guide',
  scorers: [atMost({ steps: 4 })],
  cases: [
    {
      name: 'the opening hours are looked up',
      says: 'What are your opening hours on Monday?',
      holds: [called('opening_hours', { day: /^monday$/i }), says(/closed/i)],
    },
    {
      name: 'another day is looked up, too',
      says: 'What are your opening hours on Monday?',
      later: [{ after: 'P1D', says: 'And what are the opening hours on Sunday?' }],
      holds: [called('opening_hours', { day: /^sunday$/i }), says(/17:00/)],
    },
    {
      name: 'nothing is sold',
      says: 'Sell me two tickets.',
      holds: [neverCalled('opening_hours'), neverSays(/\b(?:sold|bought|reserved)\b/i)],
    },
  ],
});
