import type { Story } from '../story';

/** An outside system delivers twice: first to the call that waits for it, then to the agent that has come to rest. */
export const webhook: Story = {
  name: 'webhook',
  script({ messages }) {
    const told = JSON.stringify(messages);
    const [url] = /http:[\w./:]+/.exec(told) ?? [''];
    const results = messages.filter(({ role }) => role === 'tool').length;
    if (results === 0) return { toolCalls: [{ id: 'call_order', name: 'order', arguments: { url } }] };
    if (results === 1) return { toolCalls: [{ id: 'call_later', name: 'order_later', arguments: { url } }] };
    return { text: told.includes('second parcel') ? 'Both are here.' : 'One is here, the other is on its way.' };
  },
  async tell(world) {
    await world.start('tester', `Order two there: ${world.thirdParty.url} `);
    await world.until(({ status }) => status === 'waiting');
    await world.deliver({ parcel: 'first parcel' });
    // The agent has read an outside system's words, so its next order needs an approval.
    await world.answer({ approved: true });
    await world.finished();
    await world.deliver({ parcel: 'second parcel' });
    await world.until(({ status, messages }) => status === 'done' && messages.at(-1)?.text === 'Both are here.');
  },
};
