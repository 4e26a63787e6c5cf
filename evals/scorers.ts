import { inZone } from '../core/base/time/time-zone';
import type { Scorer } from '../package/eval';
import { difference } from '../package/eval/matches';

// What several evals of this repository ask, besides the scorers of `vigil/eval`.

type Conversation = Parameters<Scorer['score']>[0];

const scorer = (name: string, problemOf: (conversation: Conversation) => string | undefined): Scorer => ({
  name,
  score(conversation) {
    const why = problemOf(conversation) ?? '';
    return { score: why ? 0 : 1, why };
  },
});

/** The tool is called so often, no more and no less. */
export const times = (tool: string, count: number): Scorer =>
  scorer(`${count} times ${tool}`, ({ calls }) => {
    const made = calls.filter((one) => one.tool === tool).length;
    return made === count ? undefined : `it was called ${made} times`;
  });

/** The tool is called, and does what it is called for. */
export const done = (tool: string): Scorer =>
  scorer(`${tool} is done`, ({ calls }) => {
    const made = calls.filter((one) => one.tool === tool);
    if (made.some(({ status }) => status === 'completed')) return undefined;
    return `its calls are ${made.map(({ status }) => status).join(', ') || 'none'}`;
  });

/** No call of the tool has these arguments. */
export const neverWith = (tool: string, args: object): Scorer =>
  scorer(`never ${tool} with ${JSON.stringify(args, shown)}`, ({ calls }) => {
    const found = calls.find((one) => one.tool === tool && difference(args, one.arguments ?? {}, '') === undefined);
    return found && `it was called with ${JSON.stringify(found.arguments)}`;
  });
const shown = (_field: string, value: unknown) => (value instanceof RegExp ? String(value) : value);

/** Nobody is asked to approve anything. */
export const asksNobody = scorer('asks nobody for approval', ({ callbacks }) =>
  callbacks.some(({ kind }) => kind === 'approval') ? 'somebody was asked' : undefined,
);

/** Reminders reach the user so often. */
export const reminded = (words: RegExp, count = 1): Scorer =>
  scorer(`${count} times reminded of ${words}`, (conversation) => {
    const all = remindersOf(conversation);
    const found = all.filter(({ text }) => words.test(text)).length;
    return found === count
      ? undefined
      : `${found} times; the reminders are ${JSON.stringify(all.map(({ text }) => text))}`;
  });

/** Every reminder comes at such a time: "Sunday 28 March 03:30 (01:30 UTC)", in the zone. */
export const remindedAt = (time: RegExp, timeZone: string): Scorer =>
  scorer(`reminded at ${time} in ${timeZone}`, (conversation) => {
    const all = remindersOf(conversation).map(({ createdAt }) => timeIn(new Date(createdAt), timeZone));
    if (all.length === 0) return 'there was no reminder';
    const other = all.find((one) => !time.test(one));
    return other && `a reminder came at ${other}`;
  });

/** The only reminder comes so long after the beginning. */
export const remindedAfter = (hours: number): Scorer =>
  scorer(`reminded after ${hours} hours`, (conversation) => {
    const [first, ...more] = remindersOf(conversation).map(({ createdAt }) => Date.parse(createdAt));
    if (first === undefined || more.length > 0) return `there are ${more.length + (first ? 1 : 0)} reminders`;
    const after = (first - Date.parse(conversation.messages[0]!.createdAt)) / 3_600_000;
    return Math.abs(after - hours) < 0.1 ? undefined : `it came after ${after.toFixed(2)} hours`;
  });

const remindersOf = ({ messages }: Conversation) =>
  messages.filter(({ role, text }) => role === 'assistant' && text.startsWith('⏰'));

const day = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone })
    .format(at)
    .replace(',', '');
const clock = (iso: string) => iso.slice(11, 16);
const timeIn = (at: Date, timeZone: string): string =>
  `${day(at, timeZone)} ${clock(inZone(at, timeZone))} (${clock(at.toISOString())} UTC)`;
