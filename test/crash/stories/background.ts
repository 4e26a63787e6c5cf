import type { Story } from '../story';

/** A model that thinks for minutes, twice: the provider has each reply when it is asked for the second time. */
export const background: Story = {
  name: 'background',
  inBackground: true,
  script({ messages }) {
    const isTold = messages.some(({ role }) => role === 'tool');
    return isTold ? { text: 'It is late.' } : { toolCalls: [{ id: 'call_time', name: 'current_time', arguments: {} }] };
  },
  async tell(world) {
    await world.start('thoughtful', 'Think: is it late?');
    await world.finished();
  },
};
