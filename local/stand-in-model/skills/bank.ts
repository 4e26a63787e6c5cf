import type { PastCall, Turn } from '../turn';
import { asksForTransfer, isDone, paymentsIn, type Topic, topicsIn } from './bank-wish';
import { courtesy } from './courtesies';
import type { Saying, Skill } from './skill';

// The bank's three agents. Which one it is, it sees by the tools; what is still to be done, by what was called since the
// customer spoke, whoever called it.

const toManager = 'hand_off_to_account_manager';
const toAdvisor = 'hand_off_to_loan_advisor';
const toDesk = 'hand_off_to_bank';
const ofManager: Topic[] = ['balance', 'transactions', 'transfer'];
const asksForHelp = /\b(?:what (?:can|do) you|who are you|help|how do(?:es)? (?:you|this|it) work)\b/i;

/** The front desk hands over to whoever can do what is left; to all else `abilities` has the answer. */
const frontDesk: Skill = {
  offers: 'tell you your balance and your last transactions, send money, and tell you about your loans',
  example: 'Try: "What is my balance?" or "Send 900 to Ada for the rent."',
  needs: [toManager, toAdvisor],
  answer(turn) {
    const [next] = left(turn);
    if (next) return handOver(next === 'loan' ? toAdvisor : toManager, turn);
    return short(turn);
  },
};

const accountManager: Skill = {
  needs: ['get_balance', 'get_transactions', 'transfer', toDesk],
  answer(turn) {
    const calls = callsFor(turn);
    if (calls.length > 0) return { calls };
    const open = left(turn);
    if (open.includes('transfer')) return { text: asksForTransfer };
    return (
      tell(turn, ofManager) ?? (open.length > 0 ? handOver(toDesk, turn) : (short(turn) ?? handOver(toDesk, turn)))
    );
  },
};

const loanAdvisor: Skill = {
  needs: ['get_loans', toDesk],
  answer(turn) {
    const open = left(turn);
    if (open.includes('loan')) return { calls: [{ name: 'get_loans', arguments: {} }] };
    return tell(turn, ['loan']) ?? (open.length > 0 ? handOver(toDesk, turn) : (short(turn) ?? handOver(toDesk, turn)));
  },
};

export const bank: Skill[] = [frontDesk, accountManager, loanAdvisor];

const isAnswer = ({ talk }: Turn): boolean => {
  const before = talk.filter(({ text }) => text).at(-2);
  return before?.by === 'assistant' && before.text.includes(asksForTransfer);
};

/** Topics of what was said that nobody has seen to. */
const left = (turn: Turn): Topic[] =>
  [...topicsIn(turn.said, isAnswer(turn))].filter((topic) => !isDone(topic, turn.callsSince));

/** All at once: the state machine runs them in parallel. */
function callsFor(turn: Turn): NonNullable<Saying['calls']> {
  const open = left(turn);
  const count = /\b(?:last|latest|recent)\s+(\d{1,2})\b/i.exec(turn.said)?.[1];
  const limit = count ? Math.min(50, Math.max(1, Number(count))) : null;
  return [
    ...(open.includes('balance') ? [{ name: 'get_balance', arguments: {} }] : []),
    ...(open.includes('transactions') ? [{ name: 'get_transactions', arguments: { limit } }] : []),
    ...(open.includes('transfer') ? paymentsIn(turn.said, isAnswer(turn)) : []).map((payment) => ({
      ...{ name: 'transfer', arguments: payment },
    })),
  ];
}

/** What the calls since the customer spoke have brought, with a hand-off behind it if others have something left to do. */
function tell(turn: Turn, topics: Topic[]): Saying | undefined {
  const own = turn.callsSince.filter((call) => topics.some((topic) => isDone(topic, [call])));
  if (own.length === 0) return undefined;
  const text = own.map(told).join('\n');
  const alreadyTold = turn.talk.at(-1)?.text.includes(text);
  return left(turn).length > 0 ? { text: alreadyTold ? '' : text, ...handOver(toDesk, turn) } : { text };
}

const handOver = (name: string, { said }: Turn): Saying => ({
  calls: [{ name, arguments: { reason: said.slice(0, 200) } }],
});

/** A greeting or thanks is answered by whoever hears it, as is the question what there is to be had, at the desk. */
function short({ said, tools }: Turn): Saying | undefined {
  if (asksForHelp.test(said)) return undefined;
  const text = courtesy(said)?.replace(/ Tell me.*$/, '');
  if (text) return { text: tools.includes(toManager) ? `${text} What can the bank do for you?` : text };
  return undefined;
}

/** A result in words: every tool of the bank sends text along. */
function told({ name, arguments: asked, result = '', failed }: PastCall): string {
  if (failed) {
    const what = name === 'transfer' ? `The transfer to ${asked.to} was not made` : 'I could not look that up';
    return `${what}: ${result.replace(/^(?:Error|Cancelled|Outcome unknown): /, '')}`;
  }
  const { text, transactions, loans } = jsonIn(result);
  const edited = result.startsWith('[The approver') ? ' You changed it when you approved it.' : '';
  if (transactions)
    return ['Your last transactions:', ...transactions.map((one) => `- ${one.at.slice(0, 10)} ${one.text}`)].join('\n');
  if (loans) return ['Your loans:', ...loans.map((one) => `- ${one.text}`)].join('\n');
  return `${text ?? result}${edited}`;
}

interface Result {
  text?: string;
  transactions?: { at: string; text: string }[];
  loans?: { text: string }[];
}

/** The JSON that a result ends with: a note may stand before it, with braces of its own. */
function jsonIn(result: string): Result {
  for (let at = result.indexOf('{'); at >= 0; at = result.indexOf('{', at + 1)) {
    try {
      return JSON.parse(result.slice(at)) as Result;
    } catch {}
  }
  return {};
}
