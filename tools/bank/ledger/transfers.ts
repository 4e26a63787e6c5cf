import { TellModel, ToolTerminal } from '../../../core/base/text/errors';
import type { Table } from '../../../core/conversations/store/table';
import type { RowWrite } from '../../../core/conversations/store/write';
import { type Account, bankKey, grouped, numberIn, type Transaction, tidyName } from './account';
import { paidRow, undoneEnd } from './allowance';
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
  runId: string;
  approved: boolean;
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
    { pk: receiver.pk, sk: bankKey.account, add: { balanceCents: cents, version: 1 } },
    paidRow(order, receiver, now),
    ...entries(order, sender, receiver, now),
  ];
}

/** The time in which a transfer can be taken back. */
const reversibleMs = 86_400_000;

/**
 * Returns the reverse rows. The receiver's balance is conditional on the version that was read, so it is never overdrawn.
 *
 * @param held the receiver's balance.
 * @param madeAt when the transfer was made.
 * @throws ToolTerminal if it was made too long ago, or the receiver no longer has the money.
 */
export function reversalRows(
  order: Order,
  sender: Account,
  receiver: Receiver,
  { held, madeAt, now }: { held: Pick<Account, 'balanceCents' | 'version'>; madeAt?: string; now: Date },
): RowWrite[] {
  const { cents, purpose, callId } = order;
  if (madeAt && now.getTime() - Date.parse(madeAt) > reversibleMs)
    throw new ToolTerminal('The transfer cannot be taken back after 24 hours. Ask the receiver for the money.');
  if (held.balanceCents < cents)
    throw new ToolTerminal('The receiver no longer has the money, so it cannot be taken back. Ask them for it.');
  const reversed = { ...order, cents: -cents, purpose: `Reversal: ${purpose}`, callId: `${callId}${undoneEnd}` };
  return [
    // Increments the version too, so an outgoing transfer that was computed from the old balance is computed again.
    { pk: bankKey.customer(order.customer), sk: bankKey.account, add: { balanceCents: cents, version: 1 } },
    {
      pk: receiver.pk,
      sk: bankKey.account,
      set: { balanceCents: held.balanceCents - cents },
      onlyIf: { version: held.version },
    },
    ...entries(reversed, sender, receiver, now),
  ];
}

function entries(
  { customer, cents, purpose, callId, approved }: Order,
  sender: Account,
  receiver: Receiver,
  now: Date,
): RowWrite[] {
  const at = now.toISOString();
  const entry = (pk: string, amountCents: number, counterparty: string): RowWrite => {
    const put: Transaction = { at, amountCents, counterparty, purpose, callId, ...(approved && { approved }) };
    return { pk, sk: bankKey.transaction(at, callId), put, onlyIf: 'absent' };
  };
  return [
    entry(bankKey.customer(customer), -cents, receiver.name),
    entry(receiver.pk, cents, `account ${grouped(sender.number)}`),
  ];
}
