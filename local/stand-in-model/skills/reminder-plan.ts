import { readJobs } from '../recurrence';
import { requestWords } from '../second-person';
import { inWords, isoSeconds } from '../times';
import { type PastCall, type Turn, timesIn } from '../turn';
import { corrected, isWish, readWishes, type Wish } from '../wishes';
import { nowIn } from './clock';

/** What is left of what the user wished for, worked out anew from the transcript each time. */
export interface Plan {
  /** The next one first. */
  open: Wish[];
  /** Instants that have come, as `schedule` told. */
  come: Set<string>;
  delivered: number;
  dropped: number;
  /** Messages that no clock has been read for yet. */
  unread: string[];
  /** What was understood of the last message, where it is not plain. */
  remarks: string[];
  /** What came to nothing since the last message. */
  failures: string[];
  /** The last message is about what recurs, not about these. */
  command?: 'list' | 'cancel';
}

const cancels =
  /^(?:no,? |please )*(?:cancel|never ?mind|forget (?:it|that|about)|drop (?:it|that)|stop|don['’]t remind|no need)\b/i;
const cancelsTimer = /^(?:no,? |ok(?:ay)?,? |please )*(?:cancel|stop|delete|remove|drop|don['’]t remind)\b/i;
const listsTimers =
  /\b(?:what|which|list|show|any|how many)\b.*\b(?:reminders?|timers?)\b|\bwhat\b.*\b(?:arranged|scheduled|planned)\b/i;
/** Words that name no reminder. */
const generic =
  /^(?:cancel|stop|delete|remove|drop|please|okay|remind|reminders?|reminding|timers?|about|that|this|those|them|every|everything|recurring|more|with|from|anymore|never|mind|forget|need)$/;
const corrects =
  /^(?:no\b|actually|make (?:it|that)|change|move|rather|sorry|wait|better|i mean|postpone|delay|push)|\binstead\b/i;
const repeats =
  /\b(?:every|each) (?:day|morning|evening|night|week|month|year|hour|\w+day)\b|\b(?:daily|weekly|monthly|yearly)\b/i;
/** So many waits for one instant that did not hold are enough. */
const maxBrokenWaits = 3;
/** Clocks differ: a wait may tell a time a little before the one that it was for. */
const clockToleranceMs = 10_000;

export const isCorrection = (said: string): boolean => corrects.test(said) && !requestWords.test(said);

export function planOf({ happenings, calls, tools }: Turn): Plan {
  const plan: Plan = { open: [], come: new Set(), delivered: 0, dropped: 0, unread: [], remarks: [], failures: [] };
  const broken = new Map<string, number>();
  for (const happening of happenings) {
    if ('due' in happening) {
      // It has interrupted the wait, as it may as often as it likes.
      broken.clear();
      continue;
    }
    if ('said' in happening) {
      plan.command = tools.includes('list_timers') ? commandIn(happening.said, plan) : undefined;
      plan.remarks = [];
      plan.failures = [];
      broken.clear();
      if (plan.command) continue;
      if (cancels.test(happening.said) && plan.open.length) cancel(plan, happening.said);
      else plan.unread.push(happening.said);
      continue;
    }
    const { call } = happening;
    const now = call.name === 'current_time' && nowIn(call);
    if (now) {
      for (const said of plan.unread.splice(0)) hear(plan, said, now, { calls, canRepeat: tools.includes('repeat') });
    }
    if (call.name === 'schedule') waited(plan, call, broken);
    if (call.name === 'reminder') reminded(plan, call);
    plan.open.sort((a, b) => a.at.getTime() - b.at.getTime());
  }
  return plan;
}

/** Whether a message is about reminders that recur: it asks for a list, or cancels something that no open wish is about. */
function commandIn(said: string, { open }: Plan): Plan['command'] {
  if (cancelsTimer.test(said)) {
    const words = namingWords(said);
    const isOpen = open.length > 0 && (words.length === 0 || named(open, words).length > 0);
    return isOpen ? undefined : 'cancel';
  }
  return listsTimers.test(said) ? 'list' : undefined;
}

/** The words by which a message names a reminder. */
export const namingWords = (said: string): string[] =>
  (said.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []).filter((word) => !generic.test(word));

const named = (wishes: Wish[], words: string[]): Wish[] =>
  wishes.filter(({ message }) => words.some((word) => message.toLowerCase().includes(word)));

function hear(
  plan: Plan,
  message: string,
  now: Date,
  { calls, canRepeat }: { calls: PastCall[]; canRepeat: boolean },
): void {
  // What recurs is arranged at once, and not slept for.
  const said = canRepeat ? readJobs(message, now).rest : message;
  const last = plan.open.at(-1);
  const moved = last && isCorrection(said) ? corrected(last, said, now) : undefined;
  if (moved) {
    plan.open.splice(plan.open.indexOf(last!), 1, moved);
    return;
  }
  if (!isWish(said, now)) return;
  const before = calls.findLast(({ name, failed, result }) => name === 'reminder' && result !== undefined && !failed);
  for (const wish of readWishes(said, now)) {
    // "Again in ten minutes", "snooze": what it was about is in the last reminder.
    const again = /\b(?:again|snooze)\b/i.test(said) && before ? String(before.arguments.message) : '';
    plan.open.push({ ...wish, message: wish.message || again || 'You wanted to be reminded now.' });
    if (wish.assumed) plan.remarks.push(`You named no time, so I take ${wish.assumed}.`);
    if (wish.at >= now) continue;
    plan.remarks.push('That time has passed, so I remind you now.');
    plan.come.add(isoSeconds(wish.at));
  }
  if (repeats.test(said) && !canRepeat)
    plan.remarks.push('I cannot repeat reminders, so this is for the next time only.');
}

/** All that is open, or the one that the message names by a word of it. */
function cancel(plan: Plan, said: string): void {
  const chosen = named(plan.open, said.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []);
  const gone = chosen.length ? chosen : plan.open;
  plan.open = plan.open.filter((wish) => !gone.includes(wish));
  plan.dropped += gone.length;
  plan.failures.push('All right, I will not remind you of that.');
}

function waited(plan: Plan, call: PastCall, broken: Map<string, number>): void {
  const at = String(call.arguments.at);
  const result = call.result ?? '';
  const told = timesIn(result)
    .map(Number)
    .filter((time) => time !== Date.parse(at));
  const early = /interrupt/i.test(result) || (told.length > 0 && Math.max(...told) < Date.parse(at) - clockToleranceMs);
  if (!call.failed && !early) {
    plan.come.add(at);
    return;
  }
  const breaks = (broken.get(at) ?? 0) + 1;
  broken.set(at, breaks);
  const interrupted = /^Cancelled|interrupt/i.test(result) || !call.failed;
  if (interrupted && breaks < maxBrokenWaits) return;
  drop(plan, (wish) => isoSeconds(wish.at) === at, `I could not wait until then. ${result}`);
}

function reminded(plan: Plan, call: PastCall): void {
  const isThis = (wish: Wish) => wish.message === call.arguments.message;
  const result = call.result ?? '';
  if (call.failed) {
    const unsure = /^Outcome unknown/i.test(result);
    drop(
      plan,
      isThis,
      `${unsure ? 'I am not sure that the reminder reached you.' : 'I could not deliver the reminder.'} ${result}`,
    );
    return;
  }
  const done = plan.open.findIndex(isThis);
  if (done >= 0) plan.open.splice(done, 1);
  plan.delivered++;
}

function drop(plan: Plan, isThis: (wish: Wish) => boolean, remark: string): void {
  const index = plan.open.findIndex(isThis);
  if (index >= 0) plan.open.splice(index, 1);
  plan.dropped++;
  plan.failures.push(remark.trim());
}

/** What is to come, in a sentence. */
export function promise([next, ...rest]: Wish[]): string {
  if (!next) return '';
  const first = `I will remind you on ${inWords(next.at)}.`;
  return rest.length
    ? `${first} ${rest.length === 1 ? 'One more follows' : `${rest.length} more follow`} after that.`
    : first;
}
