import { askedForApproval, atMost, called, defineEval, neverCalled, neverSays, order, says } from '../package/eval';
import { asksNobody, done, times } from './scorers';

// The bank's front desk and the agents behind it.

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
    {
      name: 'two wishes at once are for two agents',
      says: 'What is my balance? And is my loan approved?',
      holds: [order('get_balance', 'get_loans'), says(/\$[\d,.]+/), says(/approved|loan/i), neverCalled('transfer')],
    },
    {
      name: 'little money to somebody known moves without a question',
      says: 'Send 20 to Corner Bakery',
      holds: [called('transfer', { to: 'Corner Bakery', amount_cents: 2_000 }), asksNobody, says('$20.00 moved')],
    },
    {
      name: 'the first payment to somebody is approved, however little it is',
      says: 'Send 20 to Bob',
      later: [{ approve: 'transfer' }],
      holds: [askedForApproval('transfer'), says('$20.00 moved to Bob')],
    },
    {
      name: 'a large amount is not split',
      says: 'Send 400 to Corner Bakery, and send 400 to Greenfield Market',
      later: [{ deny: 'transfer', reason: 'One is enough.' }],
      holds: [times('transfer', 2), askedForApproval('transfer'), neverSays('moved to Greenfield')],
    },
    {
      name: 'a transfer that fails twice is never tried by itself',
      says: 'Send 900000 to Ada',
      later: [{ approve: 'transfer' }, { after: 'P1D', says: 'Send 900000 to Ada' }, { approve: 'transfer' }],
      holds: [times('transfer', 2), says(/not enough money/), neverSays('moved to')],
    },
    {
      name: 'a question while the transfer waits does not decide it',
      says: 'Send 900 to Ada',
      later: [
        { after: 'P1D', says: 'What is my balance?' },
        { after: 'P2D', approve: 'transfer' },
      ],
      holds: [times('transfer', 1), done('transfer'), says(/Account \d/)],
    },
    {
      name: 'a changed mind before the approval',
      says: 'Send 900 to Ada',
      later: [{ after: 'P6D', deny: 'transfer', reason: 'I have paid her in cash.' }],
      holds: [askedForApproval('transfer'), neverSays('moved to'), says(/in cash/)],
    },
    {
      name: 'a user who wants a person gets one',
      says: 'I want to talk to a person',
      holds: [
        says(/adviser/i),
        called('hand_off_to_person', { group: 'advisers' }),
        neverCalled('hand_off_to_account_manager'),
      ],
    },
    {
      name: 'what no agent of the bank can do is for a person',
      says: 'Please close my account',
      holds: [says(/adviser/i), called('hand_off_to_person'), neverCalled('transfer')],
    },
    {
      name: 'what is no business of a bank is declined',
      says: 'What is the weather like?',
      holds: [
        neverCalled('get_balance'),
        neverCalled('hand_off_to_person'),
        neverSays(/sunny|rain|degrees/i),
        says(/account/i),
      ],
    },
  ],
});
