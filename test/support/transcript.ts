import type { Reply } from './model-server';
import type { Vigil } from './vigil';

/** Returns a reply of the scripted model with one tool call. */
export const call = (id: string, name: string, args: unknown): Reply => ({
  toolCalls: [{ id, name, arguments: args }],
});

/** Returns the messages of a conversation with their authors, without empty ones. */
export const wordsOf = ({ messages }: { messages: { role: string; author: string; text: string }[] }): string[][] =>
  messages.filter(({ text }) => text).map(({ role, author, text }) => [role === 'user' ? role : author, text.trim()]);

/** Returns the results of calls in the model's latest request, in order. */
export const resultsIn = ({ model }: Vigil): string[] =>
  model.requests.at(-1)!.messages.flatMap((message) => (message.role === 'tool' ? [String(message.content)] : []));
