import type { Skill } from './skill';

const replies: [RegExp, string][] = [
  [
    /^(?:many )?(?:thanks|thank you|thx|cheers|ta|great|perfect|nice|cool|good|ok(?:ay)?|got it|will do|done)\b/i,
    "You're welcome.",
  ],
  [
    /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|howdy|greetings)\b/i,
    'Hello. Tell me what to remind you of, and when.',
  ],
  [/^(?:bye|goodbye|good night|see you)\b/i, 'Goodbye.'],
  [/\bhow are you\b/i, 'I am a set of rules, and they all hold. Tell me what to remind you of, and when.'],
];

/** The answer to short words that ask for nothing. */
export function courtesy(said: string): string | undefined {
  const words = said.trim();
  return words.length > 60 ? undefined : replies.find(([form]) => form.test(words))?.[1];
}

export const courtesies: Skill = {
  needs: [],
  answer({ said, tools }) {
    const text = courtesy(said);
    return text ? { text: tools.includes('reminder') ? text : text.replace(/ Tell me.*$/, '') } : undefined;
  },
};
