import type { Callback, Message } from 'vigil-client';
import { drawnSentence } from 'vigil-client/shared';

/**
 * Returns what a screen reader announces of a growing reply: the words that are new since `heard`, after the author's
 * name the first time.
 */
export function newWords(message: Message | undefined, heard: { seq: number; length: number }): string {
  if (message?.role !== 'assistant' || !message.text) return '';
  if (message.seq !== heard.seq || heard.length === 0) return `${message.author}: ${message.text}`.trim();
  return message.text.slice(heard.length).trim();
}

/** The end of a sentence in any script, with closing quotes and brackets, or of a line. */
const sentenceEnd = /(?:[。！？]|\p{Sentence_Terminal}[\p{Pe}\p{Pf}"'*_]*\s)\s*|\n\s*/gu;

/** Returns the part of a message that can be announced: of one that grows word by word, whole sentences. */
export function announceable({ text, status }: Message): string {
  if (status !== 'streaming') return text;
  const last = [...text.matchAll(sentenceEnd)].at(-1);
  return last ? text.slice(0, last.index + last[0].length) : '';
}

/** Returns what a screen reader announces of a question or an approval: the fixed question, and what it is about. */
export function askedWords({ kind, prompt, sentence, fields = [] }: Callback): string {
  if (kind === 'question') return `The agent asks: ${prompt}`;
  const below = sentence ? drawnSentence(sentence, fields).rest : fields;
  const said = below.map(({ label, text, what }) => `${label}${what ? `, ${what}` : ''}: ${text}`);
  return [`Your approval is needed: ${prompt}`, ...said].join(' ');
}
