import type { Callback, Message } from '../../../core/state/schemas';
import { fieldsOf, inDollars } from './fields';
import { plain } from './words';

/**
 * Returns what a screen reader announces of a growing reply: the words that are new since `heard`, after the author's
 * name the first time.
 */
export function newWords(message: Message | undefined, heard: { seq: number; length: number }): string {
  if (message?.role !== 'assistant' || !message.text) return '';
  if (message.seq !== heard.seq || heard.length === 0) return `${message.author}: ${message.text}`.trim();
  return message.text.slice(heard.length).trim();
}

/** Returns what a screen reader announces of a question or an approval: the fixed question, and what it is about. */
export function askedWords({ kind, prompt, arguments: asked, kinds }: Callback): string {
  if (kind === 'question') return `The agent asks: ${prompt}`;
  const fields = fieldsOf(asked).map((field) => {
    const { name, text, on } = field;
    const value = field.kind === 'flag' ? (on ? 'yes' : 'no') : (inDollars(field) ?? text);
    const what = kinds?.[name];
    return `${plain(name)}${what ? `, ${what}` : ''}: ${value}`;
  });
  return [`Your approval is needed: ${prompt}`, ...fields].join(' ');
}
