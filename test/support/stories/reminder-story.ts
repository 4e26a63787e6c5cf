import { stepsTo } from '../history';
import type { ChatRequest, Reply } from '../servers/model-server';
import { call } from './transcript';

export const wish = 'Remind me tomorrow at 8am, bright and early, to check out https://example.org/news';

/**
 * The model of the reminder story. It decides from the transcript alone, as a real model does. A repeated request gets
 * the same reply, and a lost or doubled step would show.
 */
export function reminderStory({ messages }: ChatRequest): Reply {
  const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
  const [time, woke, reminded] = told;
  if (!time) return call('call_time', 'current_time', {});
  if (!woke) {
    const tomorrow = new Date(Date.parse(JSON.parse(time).now) + 86_400_000).toISOString();
    return { text: 'I will. ', ...call('call_sleep', 'schedule', { at: `${tomorrow.slice(0, 10)}T08:00:00Z` }) };
  }
  if (!reminded) return call('call_remind', 'reminder', { message: 'Check out https://example.org/news' });
  return { text: 'Done: I have reminded you.' };
}

/** The states of the story, in order. */
export const reminderStates = stepsTo('current_time', 'Sleep', 'reminder', 'Done');

/** The messages of the story, with their authors. */
export const reminderWords = [
  ['user', wish],
  ['reminder', 'I will.'],
  ['reminder', '⏰ Check out https://example.org/news'],
  ['reminder', 'Done: I have reminded you.'],
];
