import type { Story } from '../story';

/** Arranges a reminder and goes on; half an hour later it comes into the conversation at rest, and is told. */
export const deferred: Story = {
  name: 'deferred',
  script({ messages }) {
    const last = String(messages.at(-1)?.content);
    if (last.includes('⏰ Due at')) return { text: 'Time to drink water.' };
    if (last.includes('"timer_id"')) return { text: 'I will remind you.' };
    const reminder = { message: 'Drink water', at: null, delay_seconds: 1_800 };
    return { toolCalls: [{ id: 'call_later', name: 'remind_later', arguments: reminder }] };
  },
  async tell(world) {
    await world.start('tester', 'Remind me in half an hour to drink water');
    await world.finished();
    await world.advance('PT31M');
    await world.until(({ messages }) => messages.at(-1)?.text === 'Time to drink water.');
    await world.finished();
  },
};
