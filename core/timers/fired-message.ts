import { ruleOf } from '../calls/timer';
import type { StoredTimer } from '../rows/rows';
import type { Incoming } from '../runs/append';
import { missedSlots } from '../time/schedule';
import { inZone } from '../time/time-zone';

/** A message that is later than this says so. */
const lateMs = 60_000;
/** The most missed slots that are counted. */
const mostCounted = 1_000;

/**
 * @param zone the user's time zone.
 *
 * Returns the message of a timer that fires, for people and for the model. It says when the timer was due and, if it is late, the
 * current time, because the model does not know how much time has passed.
 */
export function firedMessage(timer: StoredTimer, now: Date, zone?: string): Incoming {
  const { kind, callId, author, text = '', sources } = timer;
  const nextAt = inZone(timer.nextAt, zone);
  const from = { role: 'system' as const, author, about: callId, sources };
  const late =
    now.getTime() - Date.parse(timer.nextAt) > lateMs ? ` (This comes late: it is ${inZone(now, zone)}.)` : '';
  const arranged = `⏰ Due at ${nextAt}, as arranged at ${inZone(timer.createdAt, zone)}:`;
  if (kind === 'once') return { ...from, text: `${arranged} ${text}${late}` };
  if (kind === 'repeat')
    return {
      ...from,
      text: `🔁 Due at ${nextAt} (${ruleText(timer)}): ${text}${missed(timer, now, zone) || late}`,
    };
  const scheduled = { tool: timer.tool!, arguments: JSON.stringify(timer.arguments ?? {}) };
  return { ...from, text: `${arranged} the tool ${timer.tool} is called.${late}`, scheduled };
}

const ruleText = ({ rule, timeZone }: StoredTimer): string => (timeZone ? `${rule} ${timeZone}` : `${rule}`);

/** Returns a note about missed slots, which collapse into one firing. */
function missed(timer: StoredTimer, now: Date, zone?: string): string {
  const count = missedSlots(ruleOf(timer), new Date(timer.nextAt), now, mostCounted);
  if (count === 0) return '';
  const many = count < mostCounted ? `${count}` : `At least ${count}`;
  return ` (${many} more of its times have passed meanwhile; this one stands for all of them. It is ${inZone(now, zone)}.)`;
}
