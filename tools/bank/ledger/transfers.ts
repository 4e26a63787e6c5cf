import type { Table } from '../../../core/store/table';
import type { RowWrite } from '../../../core/store/write';
import { TellModel } from '../../../core/text/errors';
import { type Account, bankKey, grouped, numberIn, type Transaction, tidyName } from './account';
import { inMoney } from './money';
import { customerOf } from './store';

/** The receiver of a transfer: the partition of its account, and its name. */
export interface Receiver {
  pk: string;
  name: string;
}

/** A transfer that a call requests. */
export interface Order {
  customer: string;
  to: string;
  cents: number;
  purpose: string;
  /** Identifies the transfer, which is made once per call. */
  callId: string;
}

/** @throws TellModel if the account number does not exist or is the customer's own, or the name has no letter. */
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

/** Returns the receiver's name for people. */
export function nameOf(to: string): string {
  const number = numberIn(to);
  return number ? `account ${grouped(number)}` : tidyName(to);
}

/**
 * Returns the rows of a transfer: both balances and an entry on both sides. The sender's balance is conditional on the account's
 * version, so two transfers from one account exclude each other. The receiver's balance is an addition, which never conflicts.
 *
 * @throws TellModel if the amount is not positive, or there is not enough money.
 */
export function transferRows(order: Order, sender: Account, receiver: Receiver, now: Date): RowWrite[] {
  const { cents, customer } = order;
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new TellModel('The amount must be more than zero.');
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

/** Returns the reverse rows. They have no balance condition: a receiver who has spent the money is then overdrawn. */
export function reversalRows(order: Order, sender: Account, receiver: Receiver, now: Date): RowWrite[] {
  const { cents, purpose, callId } = order;
  const reversed = { ...order, cents: -cents, purpose: `Reversal: ${purpose}`, callId: `${callId}.undone` };
  return [
    credit(bankKey.customer(order.customer), cents),
    credit(receiver.pk, -cents),
    ...entries(reversed, sender, receiver, now),
  ];
}

/** Increments the version too, so an outgoing transfer that was computed from the old balance is computed again. */
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
