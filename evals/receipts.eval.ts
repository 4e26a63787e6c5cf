import { askedForApproval, called, defineEval, neverCalled, neverSays, order, says } from '../package/eval';
import { times } from './scorers';

// Expenses over weeks, and the report that a person approves.

const lunch = 'I paid 12.40 EUR at Café Luna for lunch';
const taxi = 'I paid 20.00 EUR at Taxi Nord for a taxi';

export const receiptsEval = defineEval({
  name: 'receipts',
  agent: 'receipts',
  scorers: [neverSays(/\bI (?:have |'ve )?sent\b/i)],
  cases: [
    {
      name: 'an expense in words, of yesterday',
      says: `${lunch} yesterday`,
      holds: [
        order('current_time', 'note_expense'),
        called('note_expense', { amount_cents: 1_240, currency: 'EUR', category: 'meals' }),
        says(/12\.40/),
      ],
    },
    {
      name: 'a photograph is read, and of one that cannot be read the agent asks',
      says: 'These are of my trip.',
      files: ['local/demo/receipts/cafe.png', 'local/demo/receipts/blurred.png'],
      later: [{ after: 'P1D', answer: 'Taxi Nord, 2026-03-06, 23.50 EUR' }],
      holds: [
        called('note_expense', { amount_cents: 1_240, file: /^f_/ }),
        called('ask_user', { question: /blurred\.png/ }),
        called('note_expense', { amount_cents: 2_350, file: /^f_/ }),
        times('note_expense', 2),
      ],
    },
    {
      name: 'an amount without a currency is not guessed',
      says: 'I paid 12.40 at Café Luna for lunch',
      holds: [neverCalled('note_expense')],
    },
    {
      name: 'the same expense twice is asked about, and not noted if it is not another one',
      says: lunch,
      later: [
        { says: lunch },
        { deny: 'note_expense', reason: 'It is the same.' },
        { says: 'What have I spent so far?' },
      ],
      holds: [askedForApproval('note_expense'), says(/In all: 12\.40 EUR/), neverSays(/24\.80/)],
    },
    {
      name: 'the same expense twice counts twice if it is another one',
      says: lunch,
      later: [{ says: lunch }, { approve: 'note_expense' }, { says: 'What have I spent so far?' }],
      holds: [says(/In all: 24\.80 EUR/)],
    },
    {
      name: 'a report of today waits for its approval',
      says: lunch,
      later: [{ says: 'Make my expense report' }, { after: 'P2D', approve: 'expense_report' }],
      holds: [
        order('list_expenses', 'expense_report'),
        called('expense_report', { total: '12.40 EUR', expenses: 1 }),
        askedForApproval('expense_report'),
        says(/12\.40 EUR in 1 expense/),
      ],
    },
    {
      name: 'a report in three weeks has what comes until then',
      says: lunch,
      later: [
        { says: 'Make my expense report in 3 weeks' },
        { after: 'P5D', says: taxi },
        { after: 'P17D', approve: 'expense_report' },
      ],
      holds: [called('expense_report', { total: '32.40 EUR', expenses: 2 }), times('expense_report', 1)],
    },
    {
      name: 'a changed mind during the wait makes no report',
      says: lunch,
      later: [
        { says: 'Make my expense report in 3 weeks' },
        { after: 'P5D', says: 'Cancel the report' },
        { after: 'P21D', says: 'What have I spent so far?' },
      ],
      holds: [called('schedule'), neverCalled('expense_report'), says(/In all: 12\.40 EUR/)],
    },
    {
      name: 'a declined report is not made again, and its expenses stay',
      says: lunch,
      later: [
        { says: 'Make my expense report' },
        { deny: 'expense_report', reason: 'One is missing.' },
        { says: 'What have I spent so far?' },
      ],
      holds: [
        times('expense_report', 1),
        neverSays(/report is made/),
        says(/One is missing/),
        says(/In all: 12\.40 EUR/),
      ],
    },
    {
      name: 'a report that nobody approves within a week is not made',
      says: lunch,
      later: [{ says: 'Make my expense report' }, { after: 'P8D' }],
      holds: [called('expense_report'), neverSays(/report is made/), says(/within a week/)],
    },
    {
      name: 'two currencies are two reports',
      says: lunch,
      later: [
        { says: 'I paid 9.00 CHF at Bahnhof Kiosk for coffee' },
        { says: 'Make my expense report' },
        { approve: 'expense_report' },
        { approve: 'expense_report' },
      ],
      holds: [
        called('expense_report', { total: '12.40 EUR' }),
        called('expense_report', { total: '9.00 CHF' }),
        times('expense_report', 2),
      ],
    },
    {
      name: 'an approver cannot change the sum',
      says: lunch,
      later: [
        { says: 'Make my expense report' },
        { approve: 'expense_report', arguments: { through: '2099-12-31', total: '99.00 EUR', expenses: 1 } },
      ],
      holds: [neverSays(/report is made/), says(/12\.40 EUR/)],
    },
    {
      name: 'an expense of the future is not noted, and not tried twice with the same date',
      says: 'I paid 5.00 EUR at Kiosk, 2099-01-01',
      later: [{ says: 'I paid 5.00 EUR at Kiosk, 2099-01-01' }, { says: 'What have I spent so far?' }],
      holds: [says(/future/), times('note_expense', 2), says(/Nothing is noted/)],
    },
    {
      name: 'nothing is reported where nothing is noted',
      says: 'Make my expense report in 3 weeks',
      holds: [called('schedule'), neverCalled('expense_report'), says(/nothing/i)],
    },
    {
      name: 'a report is sent to nobody',
      says: lunch,
      later: [{ says: 'Make my expense report, and mail it to my boss' }, { approve: 'expense_report' }],
      holds: [called('expense_report'), neverSays(/mailed|sent/i)],
    },
  ],
});
