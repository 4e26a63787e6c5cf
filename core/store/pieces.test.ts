import { fifthOf } from '../../test/support/long';
import { countedSteps, idOfPage, sumOf, textReply } from '../../test/support/tables/counted-steps';
import { callLook, stepsIn } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import type { Reply } from '../agent/model';
import { cancelRun } from '../conversation/cancel';
import { deleteConversation } from '../conversation/delete';
import { key } from '../rows/keys';
import { defaultDay } from '../state/user-limits';
import { viewConversation } from '../views/view';
import { overwrite, readMeta, readRows } from './table';

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

  test.each([
    ['idempotent', 10],
    ['read', 9],
  ] as const)('a step with a tool whose effect is `%s` costs %i write units (R184)', async (effect, units) => {
    const id = idOfPage.replace('u0', effect[0]!);
    const [, second] = await countedSteps(table, id, [callLook, callLook, textReply(40)], { effect });
    expect(Object.fromEntries(second!)).toEqual({
      'Put META': 1,
      'Update M': 1,
      // A row counts twice in a transaction. The entry in the list shows no step.
      'TransactWrite META+M+CALL': 6,
      'Update CALL': units - 8,
    });
  });

  test('the budget of a user costs a long run four write units for about ten steps (R184, R149)', async () => {
    const limits = { steps: 100, month: defaultDay, day: defaultDay };
    const replies = [...Array<Reply>(24).fill(callLook), textReply(40)];
    const steps = await countedSteps(table, `${idOfPage}l`, replies, { limits });
    const ofBudget = (step: Map<string, number>) => [...step].filter(([write]) => write.includes('SPENT'));
    const reserved = steps.flatMap((step, index) => ofBudget(step).map((write) => [index, ...write]));
    expect(reserved).toEqual([
      [0, 'TransactWrite META+SPENT', 4],
      [9, 'TransactWrite META+SPENT', 4],
      [19, 'TransactWrite META+SPENT', 4],
      [24, 'TransactWrite META+M+SPENT+COUNTS', expect.any(Number)],
    ]);
    // META has the rest of the reservation, and stays below 1 KB.
    expect(steps.slice(1, -1).map(sumOf)).toEqual(steps.slice(1, -1).map((step) => (ofBudget(step).length ? 13 : 9)));
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

  test('a draft that an earlier version of Vigil writes keeps the text in its row (R184, R167)', async () => {
    const { id, at } = await steps.given();
    const { seq, writer } = await steps.begin(at);
    await overwrite(table, id, { sk: key.message(seq), set: { text: 'By the old one.' }, onlyIf: { writer } });
    expect(await last(id)).toMatchObject({ text: 'By the old one.', status: 'streaming' });
    await cancel(id);
    expect(await last(id)).toMatchObject({ text: 'By the old one.', status: 'cancelled' });
  });
});
