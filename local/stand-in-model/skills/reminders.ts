import { isoSeconds } from '../times';
import type { Turn } from '../turn';
import { isWish } from '../wishes';
import { clockFailed } from './clock';
import { courtesy } from './courtesies';
import { isCorrection, type Plan, planOf, promise } from './reminder-plan';
import type { Saying, Skill } from './skill';

/** The reminder agent: reads the clock, sleeps until the moment that was meant, reminds, and says that it is done. */
export const reminders: Skill = {
  offers: 'remind you of something at the time you say, be it minutes or years away',
  example: 'Try: "Remind me tomorrow at 8am to call my mother."',
  needs: ['current_time', 'schedule', 'reminder'],
  answer(turn) {
    const plan = planOf(turn);
    const last = turn.callsSince.at(-1);
    if (last?.name === 'current_time' && last.failed) return { text: clockFailed(last) };
    // Whether a message is a wish does not depend on the time; what it wishes for does.
    const unclear = plan.unread.some(
      (said) => isWish(said, new Date(0)) || (plan.open.length > 0 && isCorrection(said)),
    );
    if (unclear) return { calls: [{ name: 'current_time', arguments: {} }] };
    const [next] = plan.open;
    if (next) {
      const at = isoSeconds(next.at);
      const due = plan.come.has(at);
      const announced = turn.callsSince.some(({ name }) => name === 'schedule' || name === 'reminder');
      const call = due
        ? { name: 'reminder', arguments: { message: next.message } }
        : { name: 'schedule', arguments: { at } };
      return { text: announced ? undefined : announcement(plan, due), calls: [call] };
    }
    if (plan.delivered + plan.dropped === 0) return undefined;
    return { text: closing(plan) };
  },
};

/** Says something, and goes back to sleep if a reminder is still to come. */
export function goOn(turn: Turn, text: string): Saying {
  const { open } = planOf(turn);
  const [next] = open;
  if (!next) return { text };
  const calls = [{ name: 'schedule', arguments: { at: isoSeconds(next.at) } }];
  return { text: [text, promise(open)].filter(Boolean).join(' '), calls };
}

/** Said before it goes to sleep, also when somebody spoke to it while it slept. */
function announcement({ remarks, failures, unread, open }: Plan, due: boolean): string {
  const aside = courtesy(unread.at(-1) ?? '')?.replace(/ Tell me.*$/, '');
  return [...failures, ...remarks, aside, due ? '' : promise(open)].filter(Boolean).join(' ');
}

function closing({ failures, delivered }: Plan): string {
  const done = delivered === 1 ? 'Done: I have reminded you.' : `Done: I have reminded you ${delivered} times.`;
  return [...failures, delivered ? done : ''].filter(Boolean).join(' ');
}
