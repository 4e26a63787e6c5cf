import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { booksOf, customerOf, payeesBooks } from './support/stories/bank';
import { call, resultsIn, wordsOf } from './support/stories/transcript';

// Money that moves: approved, once, and back again when the run is cancelled, whatever dies meanwhile.

const handOff = call('h', 'hand_off_to_account_manager', { reason: 'A transfer.' });
const send = (id: string, to: string, cents: number, purpose = ''): Reply =>
  call(id, 'transfer', { to, amount_cents: cents, purpose });

describe('a transfer', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  /** Makes these transfers one after the other, by the transcript alone. */
  const scripted =
    (...transfers: Reply[]) =>
    ({ messages }: ChatRequest): Reply => {
      const done = messages.filter(({ role }) => role === 'tool').length;
      return done === 0 ? handOff : (transfers[done - 1] ?? { text: 'That is all.' });
    };
  const booksIn = async (id: string) => booksOf(vigil.table, await customerOf(vigil.table, id));
  const payeeIn = async (id: string, name: string) => payeesBooks(vigil.table, await customerOf(vigil.table, id), name);
  const read = async (id: string) => (await vigil.user()).read(id);
  const edited = { to: 'Ada', amount_cents: 50_000, purpose: 'Rent' };
  // Every customer has paid them before.
  const power = 'City Power and Water';
  const savings = 'Own savings account';

  async function asked() {
    vigil.model.script(scripted(send('t', 'Ada', 90_000, 'Rent')));
    const bob = await vigil.user();
    const { id } = await bob.start('bank', 'Send 900 to Ada');
    const { callbacks } = await bob.waiting(id);
    return { bob, id, callback: callbacks[0]! };
  }

  async function movedOnce(id: string) {
    const [books, adas] = [await booksIn(id), await payeeIn(id, ' ADA ')];
    expect([books.moved, books.addsUp]).toEqual([[-50_000], true]);
    expect([adas.moved, adas.balanceCents]).toEqual([[50_000], 50_000]);
    const { calls } = await read(id);
    expect(calls[1]).toMatchObject({ status: 'completed', edited: true, arguments: edited });
    expect(calls[1]!.result).toMatchObject({ moved_cents: 50_000, balance_cents: books.balanceCents });
  }

  test('M11 R54 R114 over the limit it is approved first; approved with 500, 500 moves, and the model is told', async () => {
    const { bob, id, callback } = await asked();
    expect(callback).toMatchObject({
      kind: 'approval',
      prompt: 'Send $900.00 to "Ada" (outside the bank) for "Rent"?',
    });
    expect(callback.kinds).toEqual({ to: 'outside the bank' });
    expect(callback.arguments).toEqual({ to: 'Ada', amount_cents: 90_000, purpose: 'Rent' });
    expect((await booksIn(id)).moved).toEqual([]);
    await bob.answer(id, callback.id, { approved: true, arguments: edited });
    await bob.finished(id);
    await movedOnce(id);
    expect(resultsIn(vigil)[1]).toMatch(
      /^\[The approver changed the arguments\. .*"amount_cents":50000.*\$500\.00 moved to Ada/,
    );
  });

  longTest(
    'M11 R21 what cannot be is told to the model and moves nothing; what can goes to another customer',
    async () => {
      const eve = await vigil.user('eve');
      vigil.model.script([handOff, call('b', 'get_balance', {}), { text: 'There.' }]);
      const hers = await eve.start('bank', 'What is my balance?');
      await eve.finished(hers.id);
      const eves = await booksIn(hers.id);

      const bob = await vigil.user();
      vigil.model.script([handOff, call('b', 'get_balance', {}), { text: 'There.' }]);
      const { id } = await bob.start('bank', 'What is my balance?');
      await bob.finished(id);
      const before = await booksIn(id);
      vigil.model.script([
        send('a', '000000000000', 100),
        send('b', before.number, 100),
        send('c', 'Ada', 0),
        send('d', '?!', 100),
        send('e', 'Ada', before.balanceCents + 1),
        send('f', eves.number, 40_000, 'Gift'),
        { text: 'One went.' },
      ]);
      await bob.say(id, 'Send it everywhere');
      for (const count of [1, 2]) {
        // The fifth is above the limit, the sixth goes to a new receiver.
        const { callbacks } = await bob.until(id, (one) => one.status === 'waiting' && one.callbacks.length === count);
        await bob.answer(id, callbacks.find(({ status }) => status === 'pending')!.id, { approved: true });
      }
      await bob.until(id, ({ status, calls }) => status === 'done' && calls.length === 8);
      expect(resultsIn(vigil).slice(2)).toEqual([
        'Error: There is no account 0000 0000 0000. Ask the user for the number.',
        'Error: That is the account that the money would come from. Nothing was moved.',
        expect.stringMatching(/^Error: The arguments do not fit the tool: amount_cents: Too small/),
        'Error: "?!" is neither an account number nor a name. Ask the user for it.',
        expect.stringMatching(/^Error: There is not enough money: \$[\d,.]+ of \$[\d,.]+\. Nothing was moved\./),
        expect.stringMatching(/"moved_cents":40000/),
      ]);
      const [after, received] = [await booksIn(id), await booksIn(hers.id)];
      expect([after.moved, received.moved]).toEqual([[-40_000], [40_000]]);
      expect([after.addsUp, received.addsUp]).toEqual([true, true]);
      expect(received.balanceCents).toBe(eves.balanceCents + 40_000);
      expect(received.entries.at(-1)).toMatchObject({
        purpose: 'Gift',
        counterparty: expect.stringMatching(/^account/),
      });
    },
  );

  test('five at once from one account: each moves once, one after its approval, and the denied one not at all (R28, R54, R67, R113)', async () => {
    const cents = [10_000, 60_000, 20_000, 70_000, 15_000];
    const toolCalls = cents.flatMap((amount, index) => send(`t${index}`, power, amount).toolCalls!);
    vigil.model.script([handOff, { toolCalls }, { text: 'All of them.' }]);
    const bob = await vigil.user();
    const { id } = await bob.start('bank', 'Send all five');
    const { callbacks } = await bob.until(
      id,
      ({ calls }) => calls.filter(({ status }) => status === 'completed').length === 4,
    );
    const approvalOf = (amount: number) =>
      callbacks.find(({ arguments: args }) => (args as { amount_cents: number }).amount_cents === amount)!.id;
    await bob.answer(id, approvalOf(70_000), { approved: true });
    await bob.until(id, ({ calls }) => calls[4]!.status === 'completed');
    await bob.answer(id, approvalOf(60_000), { approved: false, reason: 'Not this one.' });
    const done = await bob.finished(id);
    expect(done.calls.slice(1).map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'completed',
      'completed',
      'completed',
    ]);
    const books = await booksIn(id);
    expect(books.moved.toSorted((a, b) => b - a)).toEqual([-10_000, -15_000, -20_000, -70_000]);
    expect(books.addsUp).toBe(true);
  });

  describe('of three, cancelled after two', () => {
    async function cancelledAfterTwo() {
      vigil.model.script(scripted(send('a', power, 10_000), send('b', savings, 20_000), send('c', 'Cleo', 60_000)));
      const bob = await vigil.user();
      const { id } = await bob.start('bank', 'Pay 100 for power, save 200 and send 600 to Cleo');
      await bob.waiting(id);
      const before = await booksIn(id);
      expect(before.moved).toEqual([-10_000, -20_000]);
      return { bob, id, start: before.balanceCents + 30_000 };
    }
    async function isRolledBack(id: string, start: number) {
      await vigil.advanceUntil(async () => (await read(id)).status === 'cancelled');
      const over = await read(id);
      expect(over.run!.reason).toBe('Cancelled by the user. 2 of 2 effects undone.');
      expect(over.calls.slice(1).map(({ status }) => status)).toEqual(['undone', 'undone', 'cancelled']);
      const books = await booksIn(id);
      expect(books.moved).toEqual([-10_000, -20_000, 20_000, 10_000]);
      expect(books.entries.at(-1)).toMatchObject({ purpose: 'Reversal: Transfer', counterparty: power });
      expect([books.addsUp, books.balanceCents]).toEqual([true, start]);
      for (const name of [power, savings, 'Cleo']) expect((await payeeIn(id, name)).balanceCents).toBe(0);
    }

    test('M12 R82 R88 both are compensated, newest first, and the talk goes on', async () => {
      const { bob, id, start } = await cancelledAfterTwo();
      await bob.cancel(id);
      await isRolledBack(id, start);
      vigil.model.script([{ text: 'As you wish.' }]);
      await bob.say(id, 'Never mind');
      expect(wordsOf(await bob.finished(id)).at(-1)).toEqual(['account-manager', 'As you wish.']);
      expect(resultsIn(vigil).slice(1, 3)).toEqual(Array(2).fill('This was done and has been undone since.'));
    });
  });
});
