import type { PastCall } from '../turn';

/** What a customer can want of the bank's agents, in the order in which they are done. */
export type Topic = 'balance' | 'transactions' | 'transfer' | 'loan';

/** A payment that was asked for. */
export interface Payment {
  to: string;
  amount_cents: number;
  purpose: string;
}

const sending = /\b(?:send|transfer|pay|wire|give|move)\b/i;
const forms: [Topic, RegExp][] = [
  ['balance', /\bbalance|\bhow much (?:money )?(?:do i have|is (?:there )?(?:in|on|left))|\baccount number\b/i],
  ['transactions', /\btransactions?\b|\b(?:last|recent|latest) (?:payments?|movements?|bookings?)|\bstatement\b/i],
  ['loan', /\bloans?\b|\bmonthly payments?\b|\bmonths? (?:are )?left\b|\bcredit\b/i],
];

// Case matters: only a capital lets a name go on.
const amount = String.raw`[$€£]?\s?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)(?:\s?(?:dollars?|USD|usd|bucks|\$|€))?`;
const receiver = String.raw`(\d[\d -]{6,20}\d|\p{L}[\p{L}'’.-]*(?:\s\p{Lu}[\p{L}'’.-]*)*)`;
const reason = String.raw`(?:\s+for\s+((?:(?!\s+and\s|,|\d)[^.!?;])+))?`;
/** "900 to Ada for the rent", "Ada 25.50". */
const amountFirst = new RegExp(`${amount}\\s+to\\s+${receiver}${reason}`, 'gu');
const receiverFirst = new RegExp(
  `\\b(?:[Ss]end|[Pp]ay|[Gg]ive|[Ww]ire)\\s+${receiver}\\s+${amount}(?![\\d,.]*\\s+to\\b)${reason}`,
  'gu',
);

export const asksForTransfer = 'How much shall I send, and to whom? For example: "900 to Ada".';

/** @param asked whether this answers the question how much and to whom. */
export function paymentsIn(said: string, asked = false): Payment[] {
  if (!asked && !sending.test(said)) return [];
  const found = [...said.matchAll(amountFirst)].map(([, cents = '', to = '', purpose = '']) => ({
    cents,
    to,
    purpose,
  }));
  if (found.length === 0)
    for (const [, to = '', cents = '', purpose = ''] of said.matchAll(receiverFirst))
      found.push({ cents, to, purpose });
  return found.map(({ cents, to, purpose }) => ({
    ...{ to: to.trim(), amount_cents: Math.round(Number(cents.replaceAll(',', '')) * 100), purpose: purpose.trim() },
  }));
}

export function topicsIn(said: string, asked = false): Set<Topic> {
  const topics = new Set<Topic>(forms.filter(([, form]) => form.test(said)).map(([topic]) => topic));
  // "Is my loan payment …?" sends nothing; a verb without a payment does where nothing else is meant.
  const transfer = paymentsIn(said, asked).length > 0 || (topics.size === 0 && sending.test(said));
  if (transfer) topics.add('transfer');
  return topics;
}

const toolOf: Record<Topic, string> = {
  ...{ balance: 'get_balance', transactions: 'get_transactions', transfer: 'transfer', loan: 'get_loans' },
};

/** Whether the topic was seen to since the customer spoke, well or not. */
export const isDone = (topic: Topic, calls: PastCall[]): boolean => calls.some(({ name }) => name === toolOf[topic]);
