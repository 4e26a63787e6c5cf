import type { Story } from '../story';

/** A tool's server asks the user in the middle of a call. The call is made once more, with what was filled in. */
export const elicitation: Story = {
  name: 'elicitation',
  asksByMcp: true,
  script({ messages }) {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'The server knows it now.' };
    return { toolCalls: [{ id: 'call_ask', name: 'guarded__trigger_elicitation_request', arguments: {} }] };
  },
  async tell(world) {
    await world.start('connected', 'Let the server ask me');
    const { callbacks } = await world.until(({ status, callbacks }) => status === 'waiting' && callbacks.length === 1);
    const form = callbacks[0]!.arguments as object;
    await world.answer({ approved: true, arguments: { ...form, name: 'Ada', integer: 7 } });
    await world.finished();
  },
};
