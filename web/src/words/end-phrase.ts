import type { Message } from 'vigil-client';
import type { AgentCard } from 'vigil-client/shared';

/** Returns a message as people read it: without the phrase that tells Vigil that its agent has finished. */
export function forPeople({ role, author, text, status }: Message, agents: readonly AgentCard[]): string {
  const phrase = role === 'assistant' ? agents.find(({ name }) => name === author)?.endPhrase : undefined;
  if (!phrase) return text;
  const whole = text.trimEnd();
  // Models put it in bold, or end it with a full stop.
  const said = whole.replace(/[*_`.!]+$/, '');
  const ending = said.endsWith(phrase) ? phrase : status === 'streaming' ? beginningAtEnd(said, phrase) : '';
  if (!ending) return text;
  const rest = said.slice(0, -ending.length);
  return rest.replace(/(?:^|\n)[ \t#>]*[*_`]*$|[ \t][*_`]+$/, '').trimEnd();
}

/** Returns with how much of the phrase a growing text ends, after a sign or a space. More of it may follow. */
function beginningAtEnd(text: string, phrase: string): string {
  for (let length = Math.min(phrase.length, text.length); length > 0; length--) {
    const before = text.slice(0, -length);
    if (text.endsWith(phrase.slice(0, length)) && !/[\p{L}\p{N}]$/u.test(before)) return phrase.slice(0, length);
  }
  return '';
}
