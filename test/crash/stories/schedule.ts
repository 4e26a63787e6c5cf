import type { Story } from '../story';

/** Makes an hourly timer by the API, pauses and resumes it, runs it by hand, changes its times and words, and cancels it. */
export const schedule: Story = {
  name: 'schedule',
  script({ messages }) {
    const last = String(messages.at(-1)?.content);
    if (last.includes('Run by hand')) return { text: 'By hand.' };
    return { text: last.includes('Walk') ? 'Walked.' : 'Stretched.' };
  },
  async tell(world) {
    const says = (text: string) =>
      world.until(({ messages, status }) => status === 'done' && messages.at(-1)?.text === text);
    await world.startTimer({ agent: 'reminder', text: 'Stretch', name: 'Breaks', every: 'PT1H' });
    await world.changeTimer({ paused: true });
    await world.advance('PT2H');
    await world.changeTimer({ paused: false });
    // Not so far that a time is missed: that would be said.
    await world.advance('PT57M');
    await says('Stretched.');
    await world.runTimer('first');
    await says('By hand.');
    await world.changeTimer({ every: 'PT2H', text: 'Walk' });
    await world.advance('PT117M');
    await says('Walked.');
    await world.endTimer();
    await world.until(({ timers }) => timers[0]?.status === 'cancelled');
  },
};
