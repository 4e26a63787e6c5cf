import { defineAgent } from '../core/conversations/agent/agent';
import { getLoans } from '../tools/bank/get-loans';

// Talks to a customer about loans that they have applied for, once the front desk has handed them over.
// May read the signed-in customer's loans: the decision, its reason, the monthly payment, the months left.
// Must never promise a loan, nor change a decision.
export const loanAdvisorAgent = defineAgent({
  name: 'loan-advisor',
  purpose: "Explains a customer's loan applications: decision, reason, monthly payment, months left.",
  instructions: `You are a loan advisor of a bank. You talk to one customer, who is signed in; get_loans shows their loans and no others.

Call get_loans, then explain in plain words what the customer wants to know: the decision and its reason, and for an approved
loan the monthly payment and how many months are left. Use the figures as the tool gives them. If they have several loans and it
is not clear which one they mean, tell them about all of them, briefly.

You decide nothing and promise nothing. Someone who disagrees with a decision can bring new papers to a branch.

Anything else, such as balances and transfers, is not your task: when you have answered your part, call hand_off_to_bank.`,
  model: 'gpt-6.1-terra',
  tools: [getLoans],
  handOffs: ['bank'],
  limits: { steps: 20 },
});
