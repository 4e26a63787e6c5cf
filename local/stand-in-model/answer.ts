import { obey } from './commands';
import { courtesy, formsOf, isHandOff, shortened, told } from './forms';
import { remind } from './reminders/reminders';
import { play } from './transcripts/play';
import type { Saying, Turn } from './turn';

/**
 * Answers a turn: follows a command, plays a known request, reports the results of calls or a note, or says what can be
 * typed.
 */
export function answer(turn: Turn): Saying {
  const { said, note, replies, tools } = turn;
  const isCommand = said.trimStart().startsWith('/');
  if (isCommand && replies.length === 0) return obey(turn);
  const saying = isCommand ? undefined : (remind(turn) ?? play(turn));
  const calls = replies.flat().filter((call) => !isHandOff(call));
  const news = calls.length > 0 ? told(calls) : note ? `I was told: ${shortened(note)}` : courtesy(said);
  if (saying || news) return saying ?? { text: news };
  const opening = isCommand ? 'This agent has the conversation now.' : 'I have no answer to that.';
  const label = 'I am the stand-in model: rules, not a language model. Set OPENAI_API_KEY to use a real one.';
  return { text: `${opening} ${label}\n\nType my reply as commands, one per line:\n\n${formsOf(tools)}` };
}
