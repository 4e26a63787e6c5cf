import type { Story } from '../story';

const asks = ['Where would you like to go?', 'And when?'];

/** Asks twice, waits for both answers, one given as a message and one by the callback's id, and ends by its phrase. */
export const question: Story = {
  name: 'question',
  script({ messages }) {
    const asked = messages.filter(({ role }) => role === 'assistant').length;
    return { text: asks[asked] ?? 'Kyoto in May. PLAN COMPLETE' };
  },
  async tell(world) {
    await world.start('planner', 'Plan a trip for me');
    await world.until(({ status }) => status === 'waiting');
    await world.say('Kyoto');
    await world.until(({ status, callbacks }) => status === 'waiting' && callbacks.length === 2);
    await world.answer({ answer: 'In May' });
    await world.finished();
  },
};
