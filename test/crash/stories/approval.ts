import type { Story } from '../story';

/** Two payments of one reply, above the limit: one approved with another amount, one denied. */
export const approval: Story = {
  name: 'approval',
  script({ messages }) {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'One is paid, the other is not.' };
    const [url] = /http:[\w./:]+/.exec(JSON.stringify(messages)) ?? [''];
    const toolCalls = [20_000, 30_000].map((cents) => ({
      id: `call_${cents}`,
      name: 'pay',
      arguments: { url, cents },
    }));
    return { toolCalls };
  },
  async tell(world) {
    await world.start('tester', `Pay these two: ${world.thirdParty.url} `);
    await world.until(({ status, callbacks }) => status === 'waiting' && callbacks.length === 2);
    await world.answer({ approved: true, arguments: { url: world.thirdParty.url, cents: 15_000 } });
    await world.answer({ approved: false, reason: 'One is enough.' });
    await world.finished();
  },
};
