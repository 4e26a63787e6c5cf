import type { Callback, Message } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import { t } from '../languages/catalogue';
import { localSentence, localValue, questionText } from './fields';

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
export function askedWords(callback: Callback): string {
  const { kind, prompt, sentence, fields = [] } = callback;
  if (asksFor(kind, 'answer')) return t('The agent asks: {prompt}', { prompt });
  const below = sentence ? localSentence(sentence, fields).rest : fields;
  const said = below.map((field) => {
    const { label, what } = field;
    return `${label}${what ? `, ${what}` : ''}: ${localValue(field)}`;
  });
  return [t('Your approval is needed: {prompt}', { prompt: questionText(callback) }), ...said].join(' ');
}
