import { fifthOf } from '../../../test/support/long';
import { countedSteps, idOfPage, sumOf, textReply } from '../../../test/support/tables/counted-steps';
import { callLook, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { defaultDay } from '../../base/state/user-limits';
import { viewConversation } from '../../people/views/view';
import { cancelRun } from '../conversation/cancel';
import { deleteConversation } from '../conversation/delete';
import { key } from '../rows/keys';
import { readMeta, readRows } from './table';

const now = new Date('2026-03-01T08:00:00Z');

describe('a reply that is being written', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);

  const last = async (id: string) => (await viewConversation(table, id, 'ada')).messages.at(-1)!;
  const cancel = (id: string) => cancelRun(table, new Map(), { conversationId: id, user: 'ada' }, now);
  const piecesOf = (id: string) => readRows(table, id, key.pieces, `${key.pieces}~`);

  test.each([1, 16, 128])(
    '%i KB cost at most two write units a KB, once more for the message, and a constant (R184)',
    async (kilobytes) => {
      const [step] = await countedSteps(table, `k${kilobytes}`, [textReply(kilobytes * 1_024)]);
      const pieces = step!.get('Put PIECE')!;
      expect(pieces).toBeGreaterThanOrEqual(kilobytes);
      expect(pieces).toBeLessThanOrEqual(2.2 * kilobytes + 32);
      // The transaction of the commit counts twice.
      expect(sumOf(step!) - pieces).toBeLessThanOrEqual(2 * kilobytes + 20);
      expect(await last(`k${kilobytes}`)).toMatchObject({
        status: 'complete',
        text: textReply(kilobytes * 1_024).text,
      });
    },
  );

  test('a step with a tool costs at most 16 write units, and the budget of its user six more (R184)', async () => {
    const replies = [callLook, callLook, textReply(40)];
    const [, step] = await countedSteps(table, idOfPage, replies);
    expect(Object.fromEntries(step!)).toEqual({
      // A row counts twice in a transaction, and META's version is also in the list's index.
      'TransactWrite META+M': 5,
      'TransactWrite META+M+CALL': 7,
      'TransactWrite CALL': 4,
    });
    const limits = { steps: 100, month: defaultDay, day: defaultDay };
    const [, limited] = await countedSteps(table, `${idOfPage}l`, replies, { limits });
    expect(sumOf(limited!) - sumOf(step!)).toBe(6);
  });

  test('pieces that come late, twice or out of order make one text, and nothing after a gap is shown (R184, R78)', async () => {
    const { id, at } = await steps.given();
    const draft = await steps.begin(at);
    expect(await last(id)).toMatchObject({ text: '', status: 'streaming', attempt: 1 });
    await steps.says(id, draft, 'One. ');
    await steps.says(id, draft, 'Three. ', 10);
    expect(await last(id)).toMatchObject({ text: 'One. ' });
    await steps.says(id, draft, 'Two. ', 5);
    await steps.says(id, draft, 'One. ');
    expect(await last(id)).toMatchObject({ text: 'One. Two. Three. ', version: 1 });
    await steps.commit(at, draft, { text: 'One. Two. Three. End.', toolCalls: [] });
    // An invocation that does not know that its step is stored.
    expect(await steps.says(id, draft, 'Four.', 17)).toBe(true);
    expect(await last(id)).toMatchObject({ text: 'One. Two. Three. End.', status: 'complete' });
  });

  test('a reply that is cut off keeps all that was said, and takes no more (R184, R82)', async () => {
    const { id, at } = await steps.given();
    const draft = await steps.begin(at);
    await steps.says(id, draft, 'One. ');
    await steps.says(id, draft, 'Two. ', 5);
    await cancel(id);
    expect(await steps.says(id, draft, 'Three. ', 10)).toBe(false);
    expect(await last(id)).toMatchObject({ text: 'One. Two. ', status: 'cancelled' });
    // The same piece again, whose answer was lost.
    expect(await steps.says(id, draft, 'Two. ', 5)).toBe(true);
    expect(await last(id)).toMatchObject({ text: 'One. Two. ', status: 'cancelled' });
  });

  test('a piece that is added while the reply is cut off belongs to it or is refused (R184)', async () => {
    for (let turn = 0; turn < fifthOf(20); turn++) {
      const { id, at } = await steps.given();
      const draft = await steps.begin(at);
      const write = async () => {
        let said = '';
        for (const word of ['One. ', 'Two. ', 'Three. ', 'Four. ', 'Five. ', 'Six. ']) {
          if (!(await steps.says(id, draft, word, said.length))) break;
          said += word;
        }
        return said;
      };
      const [said] = await Promise.all([
        write(),
        turn % 2 ? cancel(id) : steps.says(id, draft, 'One. ').then(() => cancel(id)),
      ]);
      expect(await last(id)).toMatchObject({ text: said, status: 'cancelled' });
    }
  });

  test('pieces expire by themselves, and a deletion does not write them once more (R184)', async () => {
    const { id, at } = await steps.given();
    await steps.says(id, await steps.begin(at), 'One. ');
    const before = await piecesOf(id);
    expect(before).toMatchObject([{ text: 'One. ', ttl: now.getTime() / 1_000 + 7 * 86_400 }]);
    await deleteConversation(table, new Map(), id, 'ada', now);
    expect((await readMeta(table, id))!.deletedFor).toBe('ada');
    // And the end of the reply, which the deletion has cut off.
    expect(await piecesOf(id)).toMatchObject([...before, { end: true }]);
  });
});
