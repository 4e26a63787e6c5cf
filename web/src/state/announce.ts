import type { Message } from '../../../core/state/schemas';

/** What a listener hears of an answer that grows: the words that are new since `heard`, and whose they are the first time. */
export function newWords(message: Message | undefined, heard: { seq: number; length: number }): string {
  if (message?.role !== 'assistant' || !message.text) return '';
  if (message.seq !== heard.seq || heard.length === 0) return `${message.author}: ${message.text}`.trim();
  return message.text.slice(heard.length).trim();
}
