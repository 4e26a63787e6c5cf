import type { ChatRequest, Reply } from '../../servers/model-server';
import { call } from '../transcript';

/** A kind of conversation: what its user says first, and what must be in it at the end, once. */
export interface Kind {
  name: string;
  agent: 'reminder' | 'account-manager';
  says: string;
  /** Its messages with their authors. */
  words: string[][];
  modelCalls: number;
  /** Its status until the clock is moved. */
  rests: 'done' | 'sleeping';
  runs: number;
}

const due = 'Water the plants';
const greeting = 'Good morning. I can remind you of what you like. Say when, and say of what.';
const cents = 60_000;
/** What a payment is for, in the ledger. */
export const purpose = 'The rent';

const says = {
  greets: 'Good morning',
  asks: 'What time is it?',
  sleeps: 'Wake me at the given time',
  orders: 'Remind me at the given time',
  pays: 'Send 600 dollars to Ada for the rent',
};

/** One conversation of each kind that Vigil has. All that wait wake at the same moment. */
export const kinds: readonly Kind[] = [
  {
    name: 'a plain answer',
    agent: 'reminder',
    says: says.greets,
    modelCalls: 1,
    rests: 'done',
    runs: 1,
    words: [
      ['user', says.greets],
      ['reminder', greeting],
    ],
  },
  {
    name: 'a tool call',
    agent: 'reminder',
    says: says.asks,
    modelCalls: 2,
    rests: 'done',
    runs: 1,
    words: [
      ['user', says.asks],
      ['reminder', 'It is late.'],
    ],
  },
  {
    name: 'a run that sleeps',
    agent: 'reminder',
    says: says.sleeps,
    modelCalls: 3,
    rests: 'sleeping',
    runs: 1,
    words: [
      ['user', says.sleeps],
      ['reminder', 'I will.'],
      ['reminder', `⏰ ${due}`],
      ['reminder', 'Done: I have reminded you.'],
    ],
  },
  {
    name: 'a timer',
    agent: 'reminder',
    says: says.orders,
    modelCalls: 4,
    rests: 'done',
    runs: 2,
    words: [
      ['user', says.orders],
      ['reminder', 'I will remind you.'],
      ['reminder', `⏰ ${due}`],
      ['reminder', 'Done: I have reminded you.'],
    ],
  },
  {
    name: 'an approval',
    agent: 'account-manager',
    says: says.pays,
    modelCalls: 2,
    rests: 'done',
    runs: 1,
    words: [
      ['user', says.pays],
      ['account-manager', 'I have sent it.'],
    ],
  },
];

/**
 * The model of all of them. It decides from the transcript alone, so a repeated request gets the same reply, and a lost or doubled step
 * would show.
 *
 * @param at when those that wait are to wake, ISO 8601.
 * @param delayMs the time before each reply, and between two sentences.
 */
export const crowdModel =
  (at: string, delayMs: number) =>
  (request: ChatRequest): Reply => ({ delayMs, sentenceDelayMs: delayMs, ...replyTo(request, at) });

function replyTo({ messages }: ChatRequest, at: string): Reply {
  const first = messages.find(({ role }) => role === 'user')?.content;
  const told = messages.filter(({ role }) => role === 'tool').length;
  const isTold = messages.at(-1)?.role === 'tool';
  const remind = call('remind', 'reminder', { message: due });
  const done = { text: 'Done: I have reminded you.' };
  if (first === says.greets) return { text: greeting };
  if (first === says.asks) return told ? { text: 'It is late.' } : call('time', 'current_time', {});
  if (first === says.sleeps) return [{ text: 'I will. ', ...call('sleep', 'schedule', { at }) }, remind, done][told]!;
  if (first === says.pays)
    return told ? { text: 'I have sent it.' } : call('pay', 'transfer', { to: 'Ada', amount_cents: cents, purpose });
  if (told === 0) return call('order', 'remind_later', { message: due, delay_seconds: null, at });
  if (told === 1) return isTold ? { text: 'I will remind you.' } : remind;
  return done;
}
