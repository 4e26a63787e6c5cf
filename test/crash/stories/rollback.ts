import type { Story } from '../story';

const amounts = [100, 200, 300];

/** Three payments, then a long sleep in which the user cancels: each is refunded, the newest first. */
export const rollback: Story = {
  name: 'rollback',
  script({ messages }) {
    const [url] = /http:[\w./:]+/.exec(JSON.stringify(messages)) ?? [''];
    const paid = messages.filter(({ role }) => role === 'tool').length;
    const cents = amounts[paid];
    if (cents) return { toolCalls: [{ id: `call_${cents}`, name: 'pay', arguments: { url, cents } }] };
    return { toolCalls: [{ id: 'call_sleep', name: 'schedule', arguments: { at: '2031-01-01T08:00:00Z' } }] };
  },
  async tell(world) {
    await world.start('tester', `Pay these three: ${world.thirdParty.url} `);
    await world.until(({ status }) => status === 'sleeping');
    await world.cancel();
    await world.finished();
  },
  async facts({ thirdParty }) {
    const refunds = thirdParty.effectPaths.filter((path) => path.startsWith('/refund'));
    return [`refunds in order: ${refunds.join(' ')}`];
  },
};
