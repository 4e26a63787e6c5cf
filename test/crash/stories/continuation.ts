import type { Story } from '../story';

/** A server of the current revision asks the user after it has acted. The call continues with its state, and is not made again. */
export const continuation: Story = {
  name: 'continuation',
  asksByMcp: true,
  script({ messages }) {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'The seat is booked.' };
    return { toolCalls: [{ id: 'call_book', name: 'station__book_seat', arguments: { train: 'ICE 1' } }] };
  },
  async tell(world) {
    await world.start('connected', 'Book a seat');
    await world.until(({ status, callbacks }) => status === 'waiting' && callbacks.length === 1);
    await world.answer({ approved: true, arguments: { seat: 'window' } });
    await world.finished();
  },
};
