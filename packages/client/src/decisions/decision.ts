import type { Callback, DecisionField, Source } from '../api-types';
import { type Asked, fieldsOf, lineOf } from './fields';
import { named, quoted } from './quoted';
import { drawnSentence, sentenceText } from './sentence';

export type Decided = Asked &
  Pick<Callback, 'id' | 'prompt' | 'sentence' | 'sources' | 'tool' | 'title' | 'agent' | 'asker' | 'fields'>;

const names: Record<Source, string> = {
  web: 'the web',
  member: 'a member of the conversation',
  person: 'another person',
  system: 'an outside system',
  file: 'a file',
  unknown: 'an unknown source',
};

/** Names the sources as people and models read them. */
export const sourceWords = (sources: readonly Source[]): string => sources.map((source) => names[source]).join(' and ');

/** Returns why a person is asked, besides the tool's own rule: the agent has read words that may have asked for the call. */
export const reasonOf = ({ sources = [], asker }: Pick<Callback, 'sources' | 'asker'>): string | undefined =>
  sources.length === 0 || asker
    ? undefined
    : `The agent has read words from ${sourceWords(sources)}, which may have asked for this.`;

/** Returns all that a person reads who decides about a call, as lines of plain text. */
export function decisionLines(decided: Decided): string[] {
  const { tool = '', title, agent } = decided;
  const what = title === undefined ? named(tool) : quoted(title);
  const who = agent ? `Asked by ${named(agent)} for ${what}.` : `Asked for ${what}.`;
  const { question, rest } = askedOf(decided);
  return [question, ...rest.map(lineOf), ...[reasonOf(decided)].filter((line) => line !== undefined), who];
}

/** Returns the question on one line, and the fields that it does not show. */
function askedOf(decided: Decided): { question: string; rest: DecisionField[] } {
  const { prompt, sentence, fields = fieldsOf(decided) } = decided;
  if (!sentence) return { question: seen(prompt), rest: fields };
  const { parts, rest } = drawnSentence(sentence, fields);
  // A value is drawn so that nothing in it is unseen, but for the marks that isolate letters from the right.
  const safe = parts.map((part) => ('text' in part ? { text: seenInside(part.text) } : part));
  return { question: oneLine(sentenceText({ parts: safe, rest })), rest };
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns a text on one line, without the characters that cannot be seen. */
export const seen = (text: string): string => oneLine(seenInside(oneLine(text)));
const seenInside = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, '');
