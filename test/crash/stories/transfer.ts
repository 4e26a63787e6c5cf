import type { Story } from '../story';

const transfers = [
  { to: 'City Power and Water', amount_cents: 10_000, purpose: 'Tea' },
  { to: 'Bob', amount_cents: 90_000, purpose: 'Rent' },
  { to: 'Own savings account', amount_cents: 20_000, purpose: '' },
  { to: 'Dora', amount_cents: 80_000, purpose: '' },
];
const look = [
  { name: 'get_balance', arguments: {} },
  { name: 'get_transactions', arguments: { limit: 7 } },
].map((call, index) => ({ id: `call_look${index}`, ...call }));
const isCall = ({ role }: { role: string }) => role === 'tool';

/**
 * Three transfers of a new customer, one of them approved with another amount; a fourth waits for approval when the user cancels:
 * what was moved comes back, newest first. Then another conversation looks at the account.
 */
export const transfer: Story = {
  name: 'transfer',
  script({ messages }) {
    const calls = messages.filter(isCall).length;
    if (calls === 0)
      return { toolCalls: [{ id: 'call_0', name: 'hand_off_to_account_manager', arguments: { reason: 'Money.' } }] };
    const looks = JSON.stringify(messages).includes('How does my account look?');
    if (looks) return calls === 1 ? { toolCalls: look } : { text: 'That is your account.' };
    return { toolCalls: [{ id: `call_${calls}`, name: 'transfer', arguments: transfers[calls - 1] ?? {} }] };
  },
  async tell(world) {
    await world.start('bank', 'Pay 100 for power, 900 to Bob, save 200 and send 800 to Dora');
    await world.until(({ status }) => status === 'waiting');
    await world.answer({ approved: true, arguments: { ...transfers[1], amount_cents: 50_000 } });
    await world.until(({ status, callbacks }) => status === 'waiting' && callbacks.length === 2);
    await world.cancel();
    await world.finished();
    await world.start('bank', 'How does my account look?', 'look');
    await world.finished('look');
  },
};
