import type { Story } from '../story';

/** The chat team: its host remembers something and hands over; the calculator calculates in its sandbox, and saves a table. */
export const team: Story = {
  name: 'team',
  script({ messages }) {
    const done = messages.filter(({ role }) => role === 'tool').length;
    const steps = [
      { name: 'remember', arguments: { fact: 'The user saves 1000 a year.' } },
      { name: 'hand_off_to_calculator', arguments: { reason: 'A calculation.' } },
      { name: 'run_code', arguments: { code: `saveFile('years.csv', 'year,sum\\n2,1102.5\\n'); 1000 * 1.05 ** 2` } },
    ];
    const next = steps[done];
    if (next) return { text: done === 0 ? 'I will remember that.' : '', toolCalls: [{ id: `call_${done}`, ...next }] };
    return { text: 'It is 1102.5.' };
  },
  async tell(world) {
    await world.start('chat', 'I save 1000 a year. What is it at 5 percent in two years?');
    await world.finished();
  },
  facts: (world) => world.files(),
};
