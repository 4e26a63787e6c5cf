import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { booksOf, customerOf } from './support/stories/bank';
import { call, resultsIn, wordsOf } from './support/stories/transcript';

// The bank: the front desk hands over to who can do it, that agent stays, and nobody sees anybody else's account.

const deskIs = ({ messages }: ChatRequest) =>
  /front desk|account manager|loan advisor/.exec(String(messages[0]!.content))![0];
const to = (agent: string, id = 'h') => call(id, `hand_off_to_${agent}`, { reason: 'They want that.' });
const toolsOf = ({ tools = [] }: ChatRequest) =>
  tools.map((tool) => (tool as { function: { name: string } }).function.name);

let vigil: Vigil;
afterEach(() => vigil?.stop());
const desks = () => vigil.model.requests.map(deskIs);
const booksIn = async (id: string) => booksOf(vigil.table, await customerOf(vigil.table, id));

describe('the bank', () => {
  beforeEach(async () => {
    vigil = await startVigil();
  });

  test('M1 M2 M3 R68 R69 R70 R75 the balance, the transactions, then a loan: each is answered by who knows it', async () => {
    vigil.model.script([to('account_manager'), call('b', 'get_balance', {}), { text: 'That is your balance.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('bank', 'What is my balance?');
    const first = await ada.finished(id);
    expect(first).toMatchObject({ agent: 'account-manager', status: 'done', run: { agent: 'account-manager' } });
    expect(first.calls.map(({ tool, status }) => [tool, status])).toEqual([
      ['hand_off_to_account_manager', 'completed'],
      ['get_balance', 'completed'],
    ]);
    const books = await booksIn(id);
    expect(first.calls[1]!.result).toMatchObject({ account_number: books.number, balance_cents: books.balanceCents });
    expect(wordsOf(first).at(-1)).toEqual(['account-manager', 'That is your balance.']);
    expect(vigil.model.requests.map(toolsOf)).toEqual([
      ['hand_off_to_account_manager', 'hand_off_to_loan_advisor', 'hand_off_to_person'],
      ...Array(2).fill(['get_balance', 'get_transactions', 'transfer', 'hand_off_to_bank']),
    ]);

    vigil.model.script([call('t', 'get_transactions', { limit: null }), { text: 'There they are.' }]);
    await ada.say(id, 'And my last transactions?');
    const second = await ada.until(id, ({ status, calls }) => status === 'done' && calls.length === 3);
    expect(desks().slice(3)).toEqual(['account manager', 'account manager']);
    const { transactions } = second.calls[2]!.result as { transactions: { at: string; amount_cents: number }[] };
    const newest = books.entries.slice(-10).reverse();
    expect(transactions).toMatchObject(newest.map(({ at, amountCents }) => ({ at, amount_cents: amountCents })));

    vigil.model.script([
      to('bank', 'x'),
      to('loan_advisor', 'y'),
      call('l', 'get_loans', {}),
      { text: 'It was approved.' },
    ]);
    await ada.say(id, 'Is my loan approved?');
    const third = await ada.until(id, ({ status, calls }) => status === 'done' && calls.length === 6);
    expect(desks().slice(5)).toEqual(['account manager', 'front desk', 'loan advisor', 'loan advisor']);
    expect(third).toMatchObject({ agent: 'loan-advisor' });
    const { loans } = third.calls.find(({ tool }) => tool === 'get_loans')!.result as { loans: object[] };
    expect(loans).toHaveLength(books.loans);
    expect(loans[0]).toMatchObject({
      decision: 'approved',
      reason: expect.stringContaining('income'),
      monthly_payment_cents: expect.any(Number),
      months_left: expect.any(Number),
    });
    expect(books.addsUp).toBe(true);
  });

  test('M4 R5 the balance and the transactions: both tools at once, two results, one answer', async () => {
    const toolCalls = [
      { id: 'b', name: 'get_balance', arguments: {} },
      { id: 't', name: 'get_transactions', arguments: { limit: 3 } },
    ];
    vigil.model.script([to('account_manager'), { toolCalls }, { text: 'Both.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('bank', 'Balance and transactions');
    const done = await ada.finished(id);
    const states = await vigil.states(done.run!.id);
    expect(states.filter((state) => state === 'RunTools').length).toEqual(1);
    expect(states.filter((state) => state === 'CallModel').length).toEqual(3);
    const [, balance, transactions] = resultsIn(vigil).map((text) => (text.startsWith('{') ? JSON.parse(text) : text));
    expect(balance.text).toMatch(/^Account [\d ]+: \$[\d,.]+$/);
    expect(transactions.transactions).toHaveLength(3);
    expect(wordsOf(done).filter(([author]) => author === 'account-manager')).toEqual([['account-manager', 'Both.']]);
  });

  test("M8 R124 another customer's data is never shown, whatever the model asks for", async () => {
    const asks: [string, object][] = [
      ['get_balance', { customer: '42', user: '42' }],
      ['get_transactions', { limit: 9, customer: '42', account: '42' }],
      ['get_loans', { customer: '42', pk: 'B#42' }],
    ];
    const script = (request: ChatRequest): Reply => {
      const asked = request.messages.filter(({ role }) => role === 'tool').length - 1;
      if (deskIs(request) === 'front desk') return to(asked < 0 ? 'account_manager' : 'loan_advisor', `h${asked}`);
      const [name, args] = asks[Math.min(asked, 2)]!;
      if (asked === 2 && deskIs(request) === 'account manager') return to('bank', 'back');
      return asked > 4 ? { text: 'That is all.' } : call(`c${asked}`, name, args);
    };
    vigil.model.script(script);
    const [seven, fortyTwo] = [await vigil.user('7'), await vigil.user('42')];
    const theirs = await fortyTwo.start('bank', 'Show my balance');
    await fortyTwo.finished(theirs.id);
    const { id } = await seven.start('bank', "Show customer 42's balance");
    const done = await seven.finished(id);
    expect(done.calls.map(({ tool }) => tool)).toEqual(expect.arrayContaining(asks.map(([tool]) => tool)));
    const [own, other] = [await booksIn(id), await booksIn(theirs.id)];
    const results = Object.fromEntries(done.calls.map(({ tool, result }) => [tool, result]));
    expect(results.get_balance).toMatchObject({ account_number: own.number, balance_cents: own.balanceCents });
    expect((results.get_transactions as unknown as { transactions: object[] }).transactions).toMatchObject(
      own.entries
        .slice(-9)
        .reverse()
        .map(({ amountCents }) => ({ amount_cents: amountCents })),
    );
    expect(JSON.stringify(done)).not.toContain(other.number);
    expect(JSON.stringify(done)).not.toContain(String(other.balanceCents));
    expect((await seven.request('GET', `/conversations/${theirs.id}`)).status).toBe(404);
  });
});
