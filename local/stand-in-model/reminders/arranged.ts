import type { Replies } from '../transcripts/script';
import { call, type Json } from '../turn';
import { inWords, wallTime } from './times';

type Timer = { id: string; text?: string; rule?: string; timeZone?: string; nextAt: string };
export const cancels =
  /^(?:no,? |ok(?:ay)?,? |please )*(?:cancel|stop|delete|remove|drop|forget (?:it|that|about)|never ?mind|no need|don['’]t remind)\b/i;
const lists =
  /\b(?:what|which|list|show|any|how many)\b.*\b(?:reminders?|timers?)\b|\bwhat\b.*\b(?:arranged|scheduled|planned)\b/i;
const asksTime = /\b(?:what(?:['’]s| is)? (?:the )?(?:time|date|day)|what day is|which day|how late is it)\b/i;
/** Words that do not identify a reminder. */
const generic =
  /^(?:cancel|stop|delete|remove|drop|please|okay|remind|reminders?|reminding|timers?|about|that|this|those|them|every|everything|recurring|more|with|from|anymore|never|mind|forget|need)$/;

/** Whether a message identifies a reminder by one of its words. Returns `ifNone` for a message that identifies none. */
export function namesIt(said: string, text = '', ifNone = true): boolean {
  // "Cancel that, I have called her": the reason identifies nothing.
  const [opening = ''] = cancels.exec(said) ?? [];
  const order = opening + said.slice(opening.length).split(/[,.;!]/)[0];
  const names = (order.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).filter((word) => !generic.test(word));
  return names.length === 0 ? ifNone : names.some((word) => text.toLowerCase().includes(word));
}

/** Requests about existing reminders and the time. `none` is the reply if there are no reminders. */
export const questions = (none: string): [RegExp, Replies][] => [
  [
    cancels,
    ({ input }) => [
      [call('list_timers')],
      ({ list_timers: { timers } }) => {
        const isAll = /\b(?:all|every(?:thing)?|both)\b/i.test(input);
        const chosen = timers.filter(({ text }: Timer) => isAll || namesIt(input, text, timers.length === 1));
        if (chosen.length > 0) return chosen.map(({ id }: Timer) => call('cancel_timer', { timer_id: id }));
        return `I found no such reminder. ${inventory(timers) || 'There is none.'}`;
      },
      ({ list_timers: { timers } }, [, ...cancelled]) => {
        const textOf = (id: Json) => timers.find((timer: Timer) => timer.id === id)?.text ?? 'It';
        return cancelled.map((one) => `Cancelled: ${textOf(one.arguments.timer_id)}`).join(' ');
      },
    ],
  ],
  [lists, () => [[call('list_timers')], ({ list_timers: { timers } }) => inventory(timers) || none]],
  [
    asksTime,
    () => [
      [call('current_time')],
      ({ current_time: { now, local } }) => `It is ${inWords(wallTime(local ?? now), local !== undefined)}.`,
    ],
  ],
];

const inventory = (timers: Timer[]): string =>
  timers.map((one) => `“${one.text}” comes next on ${nextOf(one)}${one.rule ? ` (${one.rule})` : ''}.`).join(' ');

/** A recurring timer has a zone, in which its rule is read. */
function nextOf({ nextAt, timeZone = 'UTC' }: Timer): string {
  if (timeZone === 'UTC') return inWords(new Date(nextAt));
  const local = new Date(nextAt).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
  return `${inWords(wallTime(local), true)} ${timeZone}`;
}
