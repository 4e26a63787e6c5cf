import { type StandInModel, startStandInModel } from '../local/stand-in-model';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { booksOf, customerOf } from './support/stories/bank';
import { wordsOf } from './support/stories/transcript';

// The whole bank as somebody without a key meets it: the stand-in model plays the three agents, on the real tools.

describe('the bank with the stand-in model (R75)', () => {
  let vigil: Vigil;
  let model: StandInModel;
  beforeAll(async () => {
    model = await startStandInModel({ pauseMs: 0 });
    vigil = await startVigil({ variables: { OPENAI_BASE_URL: model.url } });
  });
  afterAll(async () => {
    await vigil?.stop();
    await model?.stop();
  });

  test('balance, transactions, a loan, a transfer that is approved with less, one that is denied, and the weather', async () => {
    const ada = await vigil.user();
    const { id } = await ada.start('bank', 'What is my balance?');
    await ada.finished(id);
    const before = await booksOf(vigil.table, await customerOf(vigil.table, id));
    const last = async () => wordsOf(await ada.read(id)).at(-1);
    expect(await last()).toEqual(['account-manager', expect.stringMatching(/^Account [\d ]+: \$[\d,.]+$/)]);

    async function ask(text: string, body?: object) {
      const { seq } = await ada.say(id, text);
      if (body) {
        const { callbacks } = await ada.until(id, ({ callbacks }) =>
          callbacks.some(({ status }) => status === 'pending'),
        );
        await ada.answer(id, callbacks.find(({ status }) => status === 'pending')!.id, body);
      }
      await ada.until(id, ({ status, messages }) => status === 'done' && messages.at(-1)!.seq > seq);
      return last();
    }
    expect(await ask('And my last transactions?')).toEqual(['account-manager', expect.stringContaining('Salary')]);
    expect(await ask('Is my loan approved?')).toEqual(['loan-advisor', expect.stringContaining('approved')]);
    const edited = { approved: true, arguments: { to: 'Ada', amount_cents: 50_000, purpose: '' } };
    expect(await ask('Send 900 to Ada', edited)).toEqual([
      ...[
        'account-manager',
        expect.stringMatching(/^\$500\.00 moved to Ada; .* You changed it when you approved it\.$/),
      ],
    ]);
    expect(await ask('Send 900 to Bob', { approved: false, reason: 'Too much.' })).toEqual([
      ...['account-manager', expect.stringMatching(/^transfer failed: Not approved.*Too much\.$/)],
    ]);
    expect(await ask('What is the weather like?')).toEqual([
      'bank',
      expect.stringContaining('\n/hand-off account-manager\n/hand-off loan-advisor\n'),
    ]);
    const after = await booksOf(vigil.table, await customerOf(vigil.table, id));
    expect([after.addsUp, after.balanceCents]).toEqual([true, before.balanceCents - 50_000]);
  });
});
