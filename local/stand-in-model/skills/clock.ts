import { inWords } from '../times';
import { type PastCall, timesIn } from '../turn';
import type { Skill } from './skill';

const asks = /\b(?:what(?:['’]s| is)? (?:the )?(?:time|date|day)|what day is|which day|how late is it)\b/i;

/** "What time is it?" */
export const clock: Skill = {
  offers: 'tell you the time in UTC',
  needs: ['current_time'],
  answer({ said, callsSince }) {
    if (!asks.test(said)) return undefined;
    const read = callsSince.find(({ name, result }) => name === 'current_time' && result !== undefined);
    if (!read) return { calls: [{ name: 'current_time', arguments: {} }] };
    const now = nowIn(read);
    return { text: now ? `It is ${inWords(now)}.` : clockFailed(read) };
  },
};

/** What current_time told. */
export const nowIn = (call: PastCall): Date | undefined => (call.failed ? undefined : timesIn(call.result ?? '')[0]);

export const clockFailed = (call: PastCall): string => `I could not read the clock. ${call.result ?? ''}`.trim();
