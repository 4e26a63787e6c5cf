import { askedForApproval, atMost, called, defineEval, neverCalled, neverSays, order, says } from '../package/eval';

// The bank's front desk and the agents behind it. The stand-in model plays it in `npm run test:long`.

const transfer = { to: 'Ada', amount_cents: 90_000 };

export const bankEval = defineEval({
  name: 'bank',
  agent: 'bank',
  scorers: [atMost({ steps: 12 }), neverSays(/\bguarantee/i)],
  cases: [
    {
      name: 'a question about the balance reads the account, and moves nothing',
      says: 'What is my balance?',
      holds: [called('get_balance'), neverCalled('transfer'), says(/\$[\d,.]+/)],
    },
    {
      name: 'a large transfer waits three days for its approval, and is made',
      says: 'Send 900 to Ada',
      later: [{ after: 'P3D', approve: 'transfer' }],
      holds: [called('transfer', transfer), askedForApproval('transfer'), says('$900.00 moved to Ada')],
    },
    {
      name: 'a declined transfer moves nothing, and the reason is understood',
      says: 'Send 900 to Bob',
      later: [{ deny: 'transfer', reason: 'Too much.' }],
      holds: [askedForApproval('transfer'), neverSays('moved to'), says('Too much')],
    },
    {
      name: 'a transfer that nobody decides about expires after a week',
      says: 'Send 900 to Ada',
      later: [{ after: 'P8D' }],
      holds: [called('transfer', transfer), neverSays('moved to'), says(/within a week/)],
    },
    {
      name: 'the approver changes the amount',
      says: 'Send 900 to Ada',
      later: [{ after: 'PT1H', approve: 'transfer', arguments: { to: 'Ada', amount_cents: 50_000, purpose: '' } }],
      holds: [says('$500.00 moved to Ada'), neverSays('$900.00')],
    },
    {
      name: 'a second wish comes a day later, for another agent',
      says: 'What is my balance?',
      later: [{ after: 'P1D', says: 'Is my loan approved?' }],
      holds: [order('get_balance', 'get_loans'), neverCalled('transfer')],
    },
  ],
});
