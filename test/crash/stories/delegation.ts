import type { Story } from '../story';

/** Two tasks for another agent, one of which has an effect; then a long sleep in which the user cancels: it is undone. */
export const delegation: Story = {
  name: 'delegation',
  script({ messages }) {
    const text = JSON.stringify(messages);
    const results = messages.filter(({ role }) => role === 'tool').length;
    if (String(messages[0]!.content) === 'You are the worker.') {
      if (results > 0 || text.includes('Just say hello')) return { text: 'It is done.' };
      const [url] = /http:[\w./:]+/.exec(text) ?? [''];
      return { toolCalls: [{ id: 'call_pay', name: 'pay', arguments: { url, cents: 700 } }] };
    }
    if (results > 0)
      return { toolCalls: [{ id: 'call_sleep', name: 'schedule', arguments: { at: '2031-01-01T08:00:00Z' } }] };
    const [url] = /http:[\w./:]+/.exec(text) ?? [''];
    const toolCalls = [`Pay at ${url} `, 'Just say hello'].map((task, index) => ({
      id: `call_${index}`,
      name: 'delegate',
      arguments: { agent: 'worker', task },
    }));
    return { toolCalls };
  },
  async tell(world) {
    await world.start('boss', `Have it paid at ${world.thirdParty.url} `);
    await world.until(({ status }) => status === 'sleeping');
    await world.cancel();
    await world.finished();
  },
};
