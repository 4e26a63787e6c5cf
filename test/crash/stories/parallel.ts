import type { Story } from '../story';

const effects = ['first', 'second', 'third'];

/** Three calls of one reply, each with an effect at a third party that takes idempotency keys. */
export const parallel: Story = {
  name: 'parallel',
  script({ messages }) {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'All three are done.' };
    const [url] = /http:[\w./:]+/.exec(JSON.stringify(messages)) ?? [''];
    const toolCalls = effects.map((name) => ({
      id: `call_${name}`,
      name: 'hit',
      arguments: { url: `${url}/${name}` },
    }));
    return { toolCalls };
  },
  async tell(world) {
    await world.start('tester', `Hit this three times: ${world.thirdParty.url} `);
    await world.finished();
  },
};
