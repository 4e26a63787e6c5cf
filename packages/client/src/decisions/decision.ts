import type { Callback, Source } from '../api-types';
import { type Asked, fieldsOf, lineOf } from './fields';
import { named } from './quoted';

export type Decided = Asked & Pick<Callback, 'id' | 'prompt' | 'sources' | 'tool' | 'agent' | 'asker' | 'fields'>;

const names: Record<Source, string> = {
  web: 'the web',
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
  const { prompt, tool = '', agent } = decided;
  const who = agent ? `Asked by ${named(agent)} for ${named(tool)}.` : `Asked for ${named(tool)}.`;
  return [
    seen(prompt),
    ...(decided.fields ?? fieldsOf(decided)).map(lineOf),
    ...[reasonOf(decided)].filter((line) => line !== undefined),
    who,
  ];
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns a text on one line, without the characters that cannot be seen. */
export const seen = (text: string): string =>
  oneLine(oneLine(text).replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, ''));
