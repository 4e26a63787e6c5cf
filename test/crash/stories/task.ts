import type { Story } from '../story';

/** A server works on a call as a task, asks the user meanwhile, and gives the result later. */
export const task: Story = {
  name: 'task',
  asksByMcp: true,
  script({ messages }) {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'The trip is planned.' };
    return { toolCalls: [{ id: 'call_plan', name: 'station__plan_trip', arguments: { to: 'Rome' } }] };
  },
  async tell(world) {
    await world.start('connected', 'Plan a trip to Rome');
    await world.until(({ status, callbacks }) => status === 'waiting' && callbacks.some(({ asker }) => asker));
    await world.answer({ approved: true, arguments: { by: 'train' } });
    await world.finished();
  },
};
