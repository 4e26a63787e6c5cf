import type { DecisionField, SentencePart } from '../api-types';

const named = /\{(\w+)\}/g;

/** Returns the names of the arguments that a question names in braces. */
export const namesIn = (question: string): string[] => [...question.matchAll(named)].map(([, name]) => name!);

/**
 * Chooses a question, and returns it in parts: the first one whose arguments all have a value, else the last one.
 *
 * @returns undefined if it names no argument.
 */
export function sentenceOf(questions: readonly string[], args: object): SentencePart[] | undefined {
  const values = new Map<string, unknown>(Object.entries(args));
  const isSaid = (name: string) => ![undefined, null, ''].includes(values.get(name) as never);
  const chosen = questions.find((one) => namesIn(one).every(isSaid)) ?? questions.at(-1) ?? '';
  if (namesIn(chosen).length === 0) return undefined;
  // A split by a group alternates between text and name.
  return chosen
    .split(named)
    .map((part, at) => (at % 2 === 0 ? { text: part } : { field: part }))
    .filter((part) => part.text !== '');
}

/** A longer value would hide the rest of the sentence, so it stands below it. */
const mostInSentence = 140;

/** A part of a sentence that is drawn: words, or a field in its place. A field that is too long is only named, and follows below. */
export type DrawnPart = { text: string } | { field: DecisionField };

/** A sentence with its values, and the fields that it does not show. */
export interface DrawnSentence {
  parts: DrawnPart[];
  rest: DecisionField[];
}

/** Puts the fields of a decision into its sentence. */
export function drawnSentence(sentence: readonly SentencePart[], fields: readonly DecisionField[]): DrawnSentence {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const said = new Set<DecisionField>();
  const parts = sentence.map((part): DrawnPart => {
    if ('text' in part) return part;
    const field = byName.get(part.field);
    // A decision of the past has the beginning of its fields alone.
    if (!field) return { text: fields.some(({ cut }) => cut) ? '…' : 'nothing' };
    if (field.cut || field.text.length > mostInSentence) return { text: `${field.label} (below)` };
    said.add(field);
    return { field };
  });
  return { parts, rest: fields.filter((field) => !said.has(field)) };
}

/** Returns a value with what the tool says of it, as it stands in a sentence. */
const valueWords = ({ text, what, was }: DecisionField): string =>
  `${text}${what ? ` (${what})` : ''}${was ? ` (was ${was})` : ''}`;

/** Returns a sentence as plain text. */
export const sentenceText = ({ parts }: DrawnSentence): string =>
  parts.map((part) => ('text' in part ? part.text : valueWords(part.field))).join('');
