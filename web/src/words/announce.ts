import type { Callback, Message } from 'vigil-client';

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
export function askedWords({ kind, prompt, fields = [] }: Callback): string {
  if (kind === 'question') return `The agent asks: ${prompt}`;
  const said = fields.map(({ label, text, what }) => `${label}${what ? `, ${what}` : ''}: ${text}`);
  return [`Your approval is needed: ${prompt}`, ...said].join(' ');
}
