import { ruleOf } from '../calls/timer';
import type { Incoming } from '../runs/append';
import { missedSlots } from '../state/schedule';
import type { StoredTimer } from '../store/rows';

/** What is this much too late says so. */
const lateMs = 60_000;
/** More missed slots than this are not counted. */
const mostCounted = 1_000;

/**
 * The message that a timer puts into its conversation: for people to see, and for the model to act on. It says when it was
 * due and, when it comes late, what time it is: the model need not know how long it has slept.
 */
export function firedMessage(timer: StoredTimer, now: Date): Incoming {
  const { kind, callId, author, nextAt, createdAt, text = '' } = timer;
  const from = { role: 'system' as const, author, about: callId };
  const late = now.getTime() - Date.parse(nextAt) > lateMs ? ` (This comes late: it is ${now.toISOString()}.)` : '';
  const arranged = `⏰ Due at ${nextAt}, as arranged at ${createdAt}:`;
  if (kind === 'once') return { ...from, text: `${arranged} ${text}${late}` };
  if (kind === 'repeat')
    return {
      ...from,
      text: `🔁 Due at ${nextAt} (${ruleText(timer)}): ${text}${missed(timer, now) || late}`,
    };
  const scheduled = { tool: timer.tool!, arguments: JSON.stringify(timer.arguments ?? {}) };
  return { ...from, text: `${arranged} the tool ${timer.tool} is called.${late}`, scheduled };
}

const ruleText = ({ rule, timeZone }: StoredTimer): string => (timeZone ? `${rule} ${timeZone}` : `${rule}`);

/** Missed slots collapse into one. */
function missed(timer: StoredTimer, now: Date): string {
  const count = missedSlots(ruleOf(timer), new Date(timer.nextAt), now, mostCounted);
  if (count === 0) return '';
  const many = count < mostCounted ? `${count}` : `At least ${count}`;
  return ` (${many} more of its times have passed meanwhile; this one stands for all of them. It is ${now.toISOString()}.)`;
}
