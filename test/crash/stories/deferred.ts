import type { Story } from '../story';

/** Arranges a reminder and goes on; two hours later it comes into the conversation at rest, whatever has delayed that, and is told. */
export const deferred: Story = {
  name: 'deferred',
  script({ messages }) {
    const last = String(messages.at(-1)?.content);
    if (last.includes('⏰ Due at')) return { text: 'Time to drink water.' };
    if (last.includes('"timer_id"')) return { text: 'I will remind you.' };
    const reminder = { message: 'Drink water', at: null, delay_seconds: 7_200 };
    return { toolCalls: [{ id: 'call_later', name: 'remind_later', arguments: reminder }] };
  },
  async tell(world) {
    await world.start('tester', 'Remind me in two hours to drink water');
    await world.finished();
    await world.advance('PT2H1M');
    await world.until(({ messages }) => messages.at(-1)?.text === 'Time to drink water.');
    await world.finished();
  },
};
