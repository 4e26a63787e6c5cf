import type { Vigil } from '../clouds/vigil';
import type { Reply } from '../servers/model-server';

/** Returns a reply of the scripted model with one tool call. */
export const call = (id: string, name: string, args: unknown): Reply => ({
  toolCalls: [{ id, name, arguments: args }],
});

/** Returns the messages of a conversation with their authors, without empty ones. */
export const wordsOf = ({ messages }: { messages: { role: string; author: string; text: string }[] }): string[][] =>
  messages.filter(({ text }) => text).map(({ role, author, text }) => [role === 'user' ? role : author, text.trim()]);

/** Returns a text as the model reads it, with the words from outside that it quotes. */
export const unquoted = (text: string): string =>
  text.replace(
    /The following comes from [^\n]*\n("(?:[^"\\]|\\.)*")/g,
    (_all, json: string) => JSON.parse(json) as string,
  );

/** Returns the results of calls in the model's latest request, in order, without the quotation of words from outside. */
export const resultsIn = ({ model }: Vigil): string[] =>
  model.requests
    .at(-1)!
    .messages.flatMap((message) => (message.role === 'tool' ? [unquoted(String(message.content))] : []));
