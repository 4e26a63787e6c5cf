import type { Call, Callback, Message } from '../api-types';

/** A line in place of what cannot be read of a row. Clients of other makers know no `unreadable`, so it is told in words. */
const lineOf = (what: string, field: string): string => `A part of this ${what} cannot be read: ${field}.`;

/** Returns a message whose text says what cannot be read. */
export function legible<One extends Pick<Message, 'text' | 'parts' | 'unreadable'>>(message: One): One {
  const { text, parts, unreadable } = message;
  if (unreadable === undefined) return message;
  const line = lineOf('message', unreadable);
  const all = parts && [...parts, { type: 'text' as const, text: line }];
  return { ...message, text: [text, line].filter(Boolean).join('\n\n'), ...(all && { parts: all }) };
}

/** Returns why a call has no result to show, or a result that may lack something. */
export const errorOf = ({ status, error, unreadable }: Call): string =>
  [error ?? `The call is ${status}.`, ...(unreadable === undefined ? [] : [lineOf('call', unreadable)])].join(' ');

/** Returns the lines of a question that say what cannot be read of it. */
export const illegible = ({ unreadable }: Pick<Callback, 'unreadable'>): string[] =>
  unreadable === undefined ? [] : [lineOf('question', unreadable)];
