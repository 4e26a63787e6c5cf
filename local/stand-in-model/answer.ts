import { obey } from './commands';
import { draw } from './drawing';
import { courtesy, formsOf, isHandOff, personTool, shortened, told } from './forms';
import { callNamed } from './named-tool';
import { remind } from './reminders/reminders';
import { play } from './transcripts/play';
import { type Saying, sentFiles, type Turn, withoutFiles } from './turn';
import { typed } from './typed';

/** Answers a turn. The answer of an agent with an `output` that makes no calls is an object that fits it. */
export function answer(turn: Turn): Saying {
  const saying = reply(turn);
  return turn.output && !saying.calls?.length ? { text: typed(turn.output, saying) } : saying;
}

/** Follows the commands, plays a known request, reports the results of calls or a note, or says what can be typed. */
function reply(turn: Turn): Saying {
  const { said, note, replies } = turn;
  const isCommand = said.trimStart().startsWith('/');
  const saying = isCommand
    ? obey({ ...turn, said: withoutFiles(said) })
    : (draw(turn) ?? remind(turn) ?? play(turn) ?? callNamed(turn));
  if (saying) return saying;
  const last = turn.recent.at(-1);
  if (last?.name === personTool && !last.failed) return { text: 'Is there anything else that I can do for you?' };
  const calls = replies.flat().filter((call) => !isHandOff(call));
  const news = calls.length > 0 ? told(calls) : note ? `I was told: ${shortened(note)}` : courtesy(said);
  if (news) return { text: news };
  const files = sentFiles(said).join(', ');
  const unanswered = files ? `I have received ${files}, and I read no files.` : 'I have no answer to that.';
  const opening = isCommand ? 'This agent has the conversation now.' : unanswered;
  const label = 'I am the stand-in model: rules, not a language model. Set OPENAI_API_KEY to use a real one.';
  return { text: `${opening} ${label}\n\nType my reply as commands, one per line:\n\n${formsOf(turn)}` };
}
