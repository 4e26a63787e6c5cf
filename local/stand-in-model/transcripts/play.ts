import { clip } from '../../../core/base/text/clip';
import { edited, handOffTool, isHandOff, told } from '../forms';
import { call, type PastCall, read, type Saying, type Turn } from '../turn';
import type { Replies } from './script';
import { scripts } from './scripts';

/** Agents that may know agents which the current one does not. */
const hosts = ['bank', 'chat'];
const maxHandOffs = 4;
/** Between two wishes of a message. */
const joint =
  /(?<=[.!?])\s+(?:and\s+)?|,?\s+and\s+(?:then\s+)?(?=(?:what|is|are|why|send|pay|transfer|remember|remind|search)\b)/i;

/** Plays the next reply of the first script that matches, or hands off to its agent. One wish of a message comes after the other. */
export function play(turn: Turn): Saying | undefined {
  const { said, replies } = turn;
  const past = replies.filter((calls) => !calls.every(isHandOff));
  const handOffs = replies.length - past.length;
  const wishes = wishesIn(said);
  const texts: string[] = [];
  for (const wish of wishes) {
    const found = scriptFor(wish, turn);
    if (!found) return undefined;
    const before = past.length;
    const { text, calls } = taken(found.replyTo, past);
    if (text !== undefined && !calls && (found.isHere || past.length < before)) {
      texts.push(text);
      continue;
    }
    if (calls && found.isHere) return { text: unsaid([...texts, text ?? ''], turn), calls };
    const way = found.way && handOffs < maxHandOffs ? found.way : undefined;
    return way
      ? { text: unsaid(texts, turn), calls: [call(way, { reason: clip(wish, { characters: 200 }) })] }
      : undefined;
  }
  return { text: unsaid(texts, turn) ?? texts.at(-1) };
}

/** Splits a message into wishes, unless one script plays all of it: "my balance, and what came in". */
function wishesIn(said: string): string[] {
  const scriptOf = (words: string) => scripts.find(({ agent, says }) => agent && says.test(words));
  const wishes = said.split(joint).filter(scriptOf);
  const whole = scriptOf(said);
  const isOne = wishes.every((wish) => scriptOf(wish) === whole) && joint.test(whole?.says.exec(said)?.[0] ?? '');
  return wishes.length > 1 && !isOne ? wishes : [said];
}

/** The first script that can be played here, or to whose agent there is a way. */
function scriptFor(wish: string, turn: Turn) {
  for (const { agent, needs, begins = '', says, replies } of scripts) {
    const match = says.exec(wish);
    if (!match) continue;
    const isHere = turn.instructions.startsWith(begins) && needs.every((tool) => turn.tools.has(tool));
    const way = agent ? [agent, ...hosts].map(handOffTool).find((tool) => turn.tools.has(tool)) : undefined;
    if (isHere || way) return { isHere, way, replyTo: replies(match, turn) };
  }
  return undefined;
}

/** What has not been said since the turn began. */
function unsaid(texts: string[], { talk }: Turn): string | undefined {
  const since = talk.slice(talk.findLastIndex(({ by }) => by === 'user'));
  return texts.filter((text) => text && !since.some((one) => one.text.includes(text))).join('\n') || undefined;
}

/** Takes what a script has called from the past replies. @returns its next calls, or its last words without calls. */
function taken(script: ReturnType<Replies>, past: PastCall[][]): Saying {
  const own: PastCall[] = [];
  for (const reply of script) {
    const saying = typeof reply === 'function' ? reply(resultsOf(own), own) : reply;
    if (typeof saying === 'string') return { text: saying + own.map(edited).join('') };
    const made = saying && past.shift();
    if (!made) return Array.isArray(saying) ? { calls: saying } : (saying ?? {});
    own.push(...made);
    const failed = made.filter((one) => one.failed);
    if (failed.length > 0) return { text: told(failed) };
  }
  return {};
}

const resultsOf = (calls: PastCall[]) =>
  Object.fromEntries(calls.map(({ name, result }) => [name, read(result) ?? result]));

/** Returns the next of some replies, or the errors of failed calls. */
export function next(script: ReturnType<Replies>, { replies }: Turn): Saying | undefined {
  const saying = taken(
    script,
    replies.filter((one) => !one.every(isHandOff)),
  );
  return saying.text === undefined && !saying.calls ? undefined : saying;
}
