import type { Story } from '../story';

const hourly = { task: 'Stretch', cron: null, time_zone: null, every_seconds: 3_600 };
const firings = 3;

/** Repeats a reminder every hour, delivers it three times, each in a run of its own, and cancels it when it is told to. */
export const recurring: Story = {
  name: 'recurring',
  script({ messages }) {
    const last = String(messages.at(-1)?.content);
    const step = messages.length;
    const call = (name: string, args: object) => ({ toolCalls: [{ id: `call_${step}`, name, arguments: args }] });
    if (last.includes('🔁 Due at')) return call('reminder', { message: 'Stretch' });
    if (last.includes('"delivered"')) return { text: 'Done.' };
    if (last.includes('"timer_id"')) return { text: 'I will remind you.' };
    if (last.includes('Stop')) return call('list_timers', {});
    const id = /"timers":\[\{"id":"([^"]+)"/.exec(last)?.[1];
    if (id) return call('cancel_timer', { timer_id: id });
    if (last.includes('"cancelled"')) return { text: 'It is cancelled.' };
    return call('repeat', hourly);
  },
  async tell(world) {
    await world.start('reminder', 'Remind me every hour to stretch');
    await world.finished();
    for (let fired = 1; fired <= firings; fired++) {
      // Not so far that a time is missed: that would be said.
      await world.advance('PT57M');
      await world.until(({ timers }) => timers[0]?.fired === fired);
      await world.until(
        ({ messages, status }) => status === 'done' && messages.filter(({ text }) => text === 'Done.').length === fired,
      );
    }
    await world.say('Stop reminding me');
    await world.until(({ messages, status }) => status === 'done' && messages.at(-1)?.text === 'It is cancelled.');
  },
};
