import type { Table } from '../../../core/store/table';
import type { RowWrite } from '../../../core/store/write';
import { TellModel } from '../../../core/text/errors';
import { type Account, bankKey, grouped, numberIn, type Transaction, tidyName } from './account';
import { inMoney } from './money';
import { customerOf } from './store';

/** The other side of a transfer: where its account is, and what it is called. */
export interface Receiver {
  pk: string;
  name: string;
}

/** A transfer as a call asks for it. */
export interface Order {
  customer: string;
  to: string;
  cents: number;
  purpose: string;
  /** What it is exactly once of. */
  callId: string;
}

/** @throws TellModel for an account number that is nobody's, or a name without a letter. */
export async function receiverOf(table: Table, { customer, to }: Order): Promise<Receiver> {
  const number = numberIn(to);
  if (number) {
    const owner = await customerOf(table, number);
    if (owner === undefined)
      throw new TellModel(`There is no account ${grouped(number)}. Ask the user for the number.`);
    if (owner === customer)
      throw new TellModel('That is the account that the money would come from. Nothing was moved.');
    return { pk: bankKey.customer(owner), name: nameOf(to) };
  }
  if (!/\p{L}/u.test(to)) throw new TellModel(`"${to}" is neither an account number nor a name. Ask the user for it.`);
  return { pk: bankKey.payee(customer, to), name: nameOf(to) };
}

/** What people read for the one that they send to. */
export function nameOf(to: string): string {
  const number = numberIn(to);
  return number ? `account ${grouped(number)}` : tidyName(to);
}

/**
 * Both balances and both entries. The sender's balance is written on condition that the account is as it was read, so that two
 * transfers out of it come one after the other; what comes in only adds, and never waits for others.
 *
 * @throws TellModel if there is not enough money.
 */
export function transferRows(order: Order, sender: Account, receiver: Receiver, now: Date): RowWrite[] {
  const { cents, customer } = order;
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new TellModel('The amount must be more than nothing.');
  if (sender.balanceCents < cents) {
    const { balanceCents } = sender;
    throw new TellModel(`There is not enough money: ${inMoney(cents)} of ${inMoney(balanceCents)}. Nothing was moved.`);
  }
  const balanceCents = sender.balanceCents - cents;
  return [
    { pk: bankKey.customer(customer), sk: bankKey.account, set: { balanceCents }, onlyIf: { version: sender.version } },
    credit(receiver.pk, cents),
    ...entries(order, sender, receiver, now),
  ];
}

/** The same way back, whatever has become of the money: an account that has spent it is then overdrawn. */
export function reversalRows(order: Order, sender: Account, receiver: Receiver, now: Date): RowWrite[] {
  const { cents, purpose, callId } = order;
  const reversed = { ...order, cents: -cents, purpose: `Reversal: ${purpose}`, callId: `${callId}.undone` };
  return [
    credit(bankKey.customer(order.customer), cents),
    credit(receiver.pk, -cents),
    ...entries(reversed, sender, receiver, now),
  ];
}

/** The version moves on, so that a transfer that was worked out from the old balance is worked out again. */
const credit = (pk: string, cents: number): RowWrite => ({
  pk,
  sk: bankKey.account,
  add: { balanceCents: cents, version: 1 },
});

function entries(
  { customer, cents, purpose, callId }: Order,
  sender: Account,
  receiver: Receiver,
  now: Date,
): RowWrite[] {
  const at = now.toISOString();
  const entry = (pk: string, amountCents: number, counterparty: string): RowWrite => {
    const put: Transaction = { at, amountCents, counterparty, purpose, callId };
    return { pk, sk: bankKey.transaction(at, callId), put, onlyIf: 'absent' };
  };
  return [
    entry(bankKey.customer(customer), -cents, receiver.name),
    entry(receiver.pk, cents, `account ${grouped(sender.number)}`),
  ];
}
