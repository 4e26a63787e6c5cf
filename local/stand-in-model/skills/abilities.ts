import { hasTools, type Skill } from './skill';

/** What it can do, when asked; and to everything else, that it is no language model. It always has an answer. */
export const abilities = (skills: Skill[]): Skill => ({
  needs: [],
  answer(turn) {
    const able = skills.filter((skill) => hasTools(skill, turn));
    const offers = able.map(({ offers }) => offers).filter((offer) => offer !== undefined);
    const known = new Set(able.flatMap(({ needs }) => needs));
    const unknown = turn.tools.filter((tool) => !known.has(tool));
    const sentences = [
      /\b(?:what (?:can|do|are) you|who are you|help|how do(?:es)? (?:you|this|it) work)\b/i.test(turn.said)
        ? 'I am the stand-in model: rules, no language model.'
        : 'I am the stand-in model: rules, no language model, so I have no answer to that.',
      offers.length ? `I can ${offers.join(', and ')}.` : '',
      unknown.length ? `This agent also has ${unknown.join(', ')}, which I cannot play.` : '',
      able.find(({ example }) => example)?.example ?? '',
      'With an OPENAI_API_KEY a real model takes my place.',
    ];
    return { text: sentences.filter(Boolean).join(' ') };
  },
});
