import { call } from '../../support/stories/transcript';
import type { Story } from '../story';

const sent = [
  { filename: 'museum.txt', content: 'Museum: 12\n' },
  { filename: 'taxi.txt', content: 'Taxi: 30\n' },
];

/** Two files are uploaded. One is read, and the sum of both becomes a file, which a person approves. */
export const files: Story = {
  name: 'files',
  script({ messages }) {
    const done = messages.filter(({ role }) => role === 'tool').length;
    const ids = [...new Set(JSON.stringify(messages).match(/f_[\w-]{43}/g))].slice(0, sent.length);
    if (done === 0) return call('read', 'read_file', { file: ids[0], copy: false });
    if (done === 1) return call('tally', 'tally', { files: ids, total: 42 });
    return { text: 'Here is the sum.' };
  },
  async tell(world) {
    await world.start('bookkeeper', 'Add these up.', undefined, sent);
    await world.answer({ approved: true });
    await world.finished();
  },
  facts: (world) => world.files(),
};
