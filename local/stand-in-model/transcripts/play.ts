import { clip } from '../../../core/base/text/clip';
import { edited, handOffTool, isHandOff, told } from '../forms';
import { call, read, type Saying, type Turn } from '../turn';
import type { Replies } from './script';
import { scripts } from './scripts';

/** Agents that may know agents which the current one does not. */
const hosts = ['bank', 'chat'];
const maxHandOffs = 4;

/** Plays the next reply of the first script that matches, or hands off to its agent. */
export function play(turn: Turn): Saying | undefined {
  const { said, tools, replies } = turn;
  for (const { agent, needs, says, replies: replyTo } of scripts) {
    const match = says.exec(said);
    const isHere = needs.every((tool) => tools.has(tool.replace('!', '')) !== tool.startsWith('!'));
    if (match && isHere) return next(replyTo(match, turn), turn);
    const way = match && agent && [agent, ...hosts].map(handOffTool).find((tool) => tools.has(tool));
    if (way && replies.length < maxHandOffs) return { calls: [call(way, { reason: clip(said, { characters: 200 }) })] };
  }
  return undefined;
}

/** Returns the next of some replies, or the errors of failed calls. */
export function next(script: ReturnType<Replies>, { replies }: Turn): Saying | undefined {
  const past = replies.filter((calls) => !calls.every(isHandOff));
  const calls = past.flat();
  const failed = calls.filter((one) => one.failed);
  if (failed.length > 0) return { text: told(failed) };
  const results = Object.fromEntries(calls.map(({ name, result }) => [name, read(result) ?? result]));
  const reply = script[past.length];
  const saying = typeof reply === 'function' ? reply(results, calls) : reply;
  return typeof saying === 'string' ? { text: saying + calls.map(edited).join('') } : saying && { calls: saying };
}
