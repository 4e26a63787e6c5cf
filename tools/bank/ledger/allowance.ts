import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { NeedsApproval } from '../../../core/base/text/errors';
import type { Table } from '../../../core/conversations/store/table';
import type { RowWrite } from '../../../core/conversations/store/write';
import { type Account, bankKey, Transaction } from './account';
import { inMoney } from './money';
import { read } from './store';
import type { Order, Receiver } from './transfers';

/** The amounts that a customer's agents may transfer without an approval, in cents: at once, in a run, and in 24 hours. */
export const allowance = { atOnce: 50_000, inRun: 50_000, inDay: 100_000 };
const dayMs = 86_400_000;

/**
 * Checks a transfer that nobody has approved against what was transferred before. The sums come from the ledger. They are exact:
 * the transfer commits only if the sender's account has not changed since `sender` was read, so read the account first.
 *
 * @throws NeedsApproval if a sum would pass the allowance, or the customer has never paid this receiver.
 */
export async function checkAllowance(table: Table, order: Order, sender: Account, receiver: Receiver, now: Date) {
  const { customer, cents, runId } = order;
  if (!(await hasBeenPaid(table, customer, receiver, sender)))
    throw new NeedsApproval('This is the first payment to this receiver.');
  const since = bankKey.transaction(new Date(now.getTime() - dayMs).toISOString(), '');
  const latest = await entriesBetween(table, customer, since, 'TX#~');
  const undone = new Set(
    latest.flatMap(({ callId = '' }) => (callId.endsWith(undoneEnd) ? callId.slice(0, -undoneEnd.length) : [])),
  );
  const unapproved = latest.filter(
    ({ amountCents, approved, callId }) => amountCents < 0 && callId !== undefined && !approved && !undone.has(callId),
  );
  const sum = (entries: Transaction[]) => entries.reduce((total, { amountCents }) => total - amountCents, cents);
  const inRun = sum(unapproved.filter(({ callId }) => callId!.startsWith(`${runId}.`)));
  if (inRun > allowance.inRun)
    throw new NeedsApproval(`With it, ${inMoney(inRun)} would be transferred for this request without an approval.`);
  const inDay = sum(unapproved);
  if (inDay > allowance.inDay)
    throw new NeedsApproval(`With it, ${inMoney(inDay)} would be transferred in 24 hours without an approval.`);
}

/** The end of the call id of a reversal's entries. */
export const undoneEnd = '.undone';

/** Notes that the customer has paid this receiver. */
export const paidRow = ({ customer }: Order, { pk }: Receiver, now: Date): RowWrite => ({
  pk: bankKey.customer(customer),
  sk: bankKey.paid(pk),
  put: { at: now.toISOString() },
});

/** Whether a payment to the receiver was made before, by a transfer or in the history with which the account was opened. */
async function hasBeenPaid(table: Table, customer: string, { pk, name }: Receiver, { openedAt }: Account) {
  if (await read(table, bankKey.customer(customer), bankKey.paid(pk))) return true;
  const history = await entriesBetween(table, customer, 'TX#', bankKey.transaction(openedAt, ''));
  return history.some(({ amountCents, counterparty }) => amountCents < 0 && counterparty === name);
}

async function entriesBetween(table: Table, customer: string, from: string, to: string): Promise<Transaction[]> {
  const entries: Transaction[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': bankKey.customer(customer), ':from': from, ':to': to },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    entries.push(...Items.map((row) => Transaction.parse(row)));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return entries;
}
