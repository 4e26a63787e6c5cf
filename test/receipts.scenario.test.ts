import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StandInModel, startStandInModel } from '../local/stand-in-model';
import type { User } from './support/api-client';
import type { Conversation } from './support/api-types';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { receiptsFolder } from './support/draw-receipts';
import { wordsOf } from './support/stories/transcript';

// Receipts of three days, as somebody without a key keeps them: the stand-in model plays the agent, on the real tools and files.

const receipt = (name: string) => new File([readFileSync(join(receiptsFolder, name))], name, { type: 'image/png' });

describe('receipts become a report (R218)', () => {
  let vigil: Vigil;
  let model: StandInModel;
  let ada: User;
  beforeAll(async () => {
    model = await startStandInModel({ pauseMs: 0 });
    vigil = await startVigil({ variables: { OPENAI_BASE_URL: model.url } });
    ada = await vigil.user('ada');
  });
  afterAll(async () => {
    await vigil?.stop();
    await model?.stop();
  });

  let id = '';
  async function sends(text: string, ...names: string[]): Promise<string[]> {
    const sent = await Promise.all(names.map((name) => ada.client.upload(receipt(name))));
    const files = sent.map((file, at) => ({ type: 'file' as const, id: file.id, filename: names[at]! }));
    await ada.client.api.say(id, { parts: [{ type: 'text', text }, ...files] });
    return sent.map((file) => file.id);
  }
  const pending = ({ callbacks }: Conversation) => callbacks.find(({ status }) => status === 'pending');
  const asked = async (kind: string) => {
    const at = await ada.until(id, (now) => pending(now)?.kind === kind);
    return pending(at)!;
  };
  const notedIn = ({ calls }: Conversation) =>
    calls.filter(({ tool, status }) => tool === 'note_expense' && status === 'completed').length;
  const notedAndAsleep = (count: number) =>
    ada.until(id, (now) => now.status === 'sleeping' && notedIn(now) === count && pending(now) === undefined);
  const lastOf = (conversation: Conversation) => wordsOf(conversation).at(-1)![1];
  async function reportOf({ calls }: Conversation) {
    const { result } = calls.findLast(({ tool, status }) => tool === 'expense_report' && status === 'completed')!;
    const { report } = result as { report: { id: string; filename: string; sources?: string[] } };
    const { url } = await ada.client.api.file(id, report.id, 'attachment', report.filename);
    const lines = (await (await fetch(url)).text()).trimEnd().split('\r\n');
    const rows = lines.map((line) => line.split(','));
    const total = Number(rows.at(-1)![3]);
    const sum = rows.slice(1, -1).reduce((all, row) => all + Math.round(Number(row[3]) * 100), 0) / 100;
    return { ...report, merchants: rows.slice(1, -1).map((row) => row[1]), total, sum, url };
  }

  const files: string[] = [];
  test('sent over days, one that cannot be read is asked about, one that is sent twice is not noted twice, and a kill -9 loses none', async () => {
    ({ id } = await ada.start('receipts', 'Make my expense report in 3 weeks'));
    const { until } = await ada.asleep(id);

    files.push(...(await sends('Lunch', 'cafe.png')));
    await notedAndAsleep(1);

    await vigil.advance('P2D');
    files.push(...(await sends('From my trip', 'hotel.png', 'blurred.png', 'cafe.png')));
    const again = await asked('approval');
    expect(again).toMatchObject({ tool: 'note_expense', sources: ['file'] });
    expect(again.prompt).toContain('This is noted already: 2026-03-02 Café Luna (meals): 12.40 EUR.');
    await ada.answer(id, again.id, { approved: false, reason: 'The same one.' });
    const unread = await asked('question');
    expect(unread.prompt).toContain('I cannot read the receipt "blurred.png".');
    await ada.answer(id, unread.id, { answer: 'Taxi Nord, 2026-03-06, 23.50 EUR' });
    await notedAndAsleep(3);

    await vigil.advance('P5D');
    await vigil.fault({ function: 'NoteExpense', kind: 'kill', at: 'before' });
    files.push(...(await sends('Office', 'stationer.png')));
    await vigil.killed();
    await vigil.restart();
    ada = await vigil.user('ada');
    expect((await notedAndAsleep(4)).until).toBe(until);
  });

  test('on the day that was named, its owner approves the sum, and the CSV has that sum', async () => {
    await vigil.advance('P15D');
    const approval = await asked('approval');
    expect(approval).toMatchObject({
      ...{
        tool: 'expense_report',
        prompt: expect.stringMatching(/^Make an expense report of "147\.95 EUR" until \d{4}-\d\d-\d\d\?$/),
      },
      arguments: { total: '147.95 EUR', expenses: 4 },
    });
    const eve = await vigil.user('eve');
    await expect(eve.answer(id, approval.id, { approved: true })).rejects.toMatchObject({ status: 404 });
    // The report is stored, and its function's answer is lost.
    await vigil.fault({ function: 'ExpenseReport', kind: 'crash', at: 'after' });
    await ada.answer(id, approval.id, { approved: true });
    const done = await ada.finished(id);
    expect(lastOf(done)).toMatch(/^Your report is made: 147\.95 EUR in 4 expenses, until \d{4}-\d\d-\d\d\.$/);
    const report = await reportOf(done);
    expect(report).toMatchObject({ total: 147.95, sum: 147.95, sources: ['file'] });
    expect(report.merchants).toEqual(['Café Luna', 'Hotel Mirador', 'Taxi Nord', 'Stationer & Sons']);
    files.push(report.id);
  });

  test('the deletion of the conversation releases receipts and reports', async () => {
    const { url } = await ada.client.api.file(id, files[0]!);
    await ada.client.api.remove(id);
    await vigil.advance('P2D', { jump: true });
    const reconciled = (await vigil.invoke('ReconcileFunctionName', {})) as { actions: { id: string; does: string }[] };
    const deleted = reconciled.actions.filter(({ does }) => does === 'delete').map((action) => action.id);
    expect(deleted).toEqual(expect.arrayContaining([...new Set(files)]));
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(403);
  });
});
