import { call } from '../../support/stories/transcript';
import type { Story } from '../story';

/** A claim that two of a group approve, and then, because those who come next take too long, somebody to whom it escalates. */
export const approvers: Story = {
  name: 'approvers',
  script: ({ messages }) =>
    messages.some(({ role }) => role === 'tool') ? { text: 'Paid.' } : call('claim', 'pay_claim', { cents: 500 }),
  async tell(world) {
    await world.start('cashier', 'My parcel was broken');
    for (const user of ['fay', 'fred'])
      await world.answer({ approved: true }, undefined, { user, groups: ['finance'] });
    await world.advance('P1D');
    await world.answer({ approved: true }, undefined, { user: 'cleo', groups: ['chiefs'] });
    await world.finished();
  },
  async facts(world) {
    const { callbacks } = await world.read();
    return callbacks.flatMap(({ decisions = [] }) =>
      decisions.map(({ by, step }) => `step ${step}: approved by ${by}`),
    );
  },
};
