import { call } from '../../support/stories/transcript';
import type { Story } from '../story';

const file = { filename: 'museum.txt', content: 'Museum\n1 March 2026\n12.50 EUR\n' };

/** A receipt is uploaded and noted, and the report of it is a file that a person approves. */
export const files: Story = {
  name: 'files',
  script({ messages }) {
    const done = messages.filter(({ role }) => role === 'tool').length;
    const [id] = /f_[\w-]{43}/.exec(JSON.stringify(messages)) ?? [];
    const expense = { date: '2026-03-01', merchant: 'Museum', amount_cents: 1_250, currency: 'EUR', category: 'other' };
    if (done === 0) return call('note', 'note_expense', { ...expense, file: id });
    const report = { through: '2026-12-31', total: '12.50 EUR', expenses: 1 };
    if (done === 1) return call('report', 'expense_report', report);
    return { text: 'Here is the report.' };
  },
  async tell(world) {
    await world.start('receipts', 'Report this one.', undefined, [file]);
    await world.answer({ approved: true });
    await world.finished();
  },
  facts: (world) => world.files(),
};
