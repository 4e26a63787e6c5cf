import type { Reply } from './model-server';
import type { Vigil } from './vigil';

/** A reply of the scripted model: one tool call. */
export const call = (id: string, name: string, args: unknown): Reply => ({
  toolCalls: [{ id, name, arguments: args }],
});

/** What was said in a conversation, and by whom; empty messages left out. */
export const wordsOf = ({ messages }: { messages: { role: string; author: string; text: string }[] }): string[][] =>
  messages.filter(({ text }) => text).map(({ role, author, text }) => [role === 'user' ? role : author, text.trim()]);

/** What the model has last been told as the results of its calls, in order. */
export const resultsIn = ({ model }: Vigil): string[] =>
  model.requests.at(-1)!.messages.flatMap((message) => (message.role === 'tool' ? [String(message.content)] : []));
