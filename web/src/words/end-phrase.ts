import type { Message } from 'vigil-client';
import type { AgentCard } from 'vigil-client/shared';

/** Returns a message as people read it: without the phrase that tells Vigil that its agent has finished. */
export function forPeople({ role, author, text }: Message, agents: readonly AgentCard[]): string {
  const phrase = role === 'assistant' ? agents.find(({ name }) => name === author)?.endPhrase : undefined;
  if (!phrase) return text;
  const whole = text.trimEnd();
  // Models put it in bold, or end it with a full stop.
  const said = whole.replace(/[*_`.!]+$/, '');
  if (!said.endsWith(phrase)) return text;
  const rest = said.slice(0, -phrase.length);
  return rest.replace(/(?:^|\n)[ \t#>]*[*_`]*$|[ \t][*_`]+$/, '').trimEnd();
}
