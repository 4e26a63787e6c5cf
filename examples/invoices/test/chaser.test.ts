import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, startThirdParty, startVigil, type ThirdParty, type Vigil } from 'vigil/testing';

const small = { number: '2030-17', customer: 'Ada & Co.', email: 'pay@ada.test', cents: 45_000, due: '2030-01-31' };
const large = { ...small, number: '2030-18', cents: 450_000 };

// The whole app runs on this machine, with an invoice API and a mail server. Only the model is scripted.
let invoices: ThirdParty;
let mails: ThirdParty;
let vigil: Vigil;
before(async () => {
  const replies: Record<string, unknown> = {
    '/overdue': [small, large],
    [`/invoices/${small.number}`]: small,
    [`/invoices/${large.number}`]: large,
  };
  invoices = await startThirdParty({ reply: (path) => replies[path] });
  mails = await startThirdParty();
  const variables = { INVOICES_URL: invoices.url, INVOICES_API_KEY: 'a-key', MAIL_URL: mails.url };
  vigil = await startVigil({ variables });
});
after(() => Promise.all([vigil?.stop(), invoices?.stop(), mails?.stop()]));

/** What the model says: the object with which it ends, and a call. */
const result = (summary: string) => ({ text: JSON.stringify({ summary, reminded: [], escalated: [] }) });
const remind = ({ number, cents }: typeof small) => call('send_reminder', { invoice: number, cents });

test('somebody else of finance decides about a reminder of more than 1,000 euro, not the one who asked', async () => {
  vigil.model.script([remind(large), result('One customer was reminded.')]);
  const [ada, fay] = [await vigil.user('ada', ['finance']), await vigil.user('fay', ['finance'])];
  const { id } = await ada.start('chaser', 'Remind the customer of 2030-18.');

  const { callbacks } = await ada.waiting(id);
  await assert.rejects(ada.answer(id, callbacks[0]!.id, { approved: true }));
  assert.deepEqual(mails.bodies, []);
  await fay.answer(id, callbacks[0]!.id, { approved: true });

  const { calls, run } = await ada.finished(id);
  assert.deepEqual(calls[0]?.result, { sent: true });
  assert.deepEqual(run?.result, { summary: 'One customer was reminded.', reminded: [], escalated: [] });
  assert.deepEqual(mails.bodies, [
    { to: 'pay@ada.test', subject: 'Invoice 2030-18', text: 'It was due on 2030-01-31.' },
  ]);
});

test('what finance denies is not done, and the agent reads why', async () => {
  vigil.model.script([call('escalate', { invoice: small.number }), result('Finance does not want it.')]);
  const [ada, fay] = [await vigil.user('ada'), await vigil.user('fay', ['finance'])];
  const { id } = await ada.start('chaser', 'Escalate 2030-17.');
  const { callbacks } = await ada.waiting(id);
  await fay.answer(id, callbacks[0]!.id, { approved: false, reason: 'They have paid by cheque.' });

  const { calls } = await ada.finished(id);
  assert.equal(calls[0]?.status, 'failed');
  assert.match(JSON.stringify(vigil.model.requests.at(-1)), /paid by cheque/);
  assert.ok(!invoices.effectPaths.includes('/collections'));
});

test('three days after a reminder it looks again, and escalates; a cancelled run takes that back', async () => {
  const inThreeDays = new Date((await vigil.now()).getTime() + 3 * 86_400_000).toISOString();
  vigil.model.script([
    call('list_overdue_invoices'),
    remind(small),
    call('schedule', { at: inThreeDays }),
    call('list_overdue_invoices'),
    call('escalate', { invoice: small.number }),
    call('schedule', { at: '2099-01-01T09:00Z' }),
  ]);
  const [ada, fay] = [await vigil.user('ada'), await vigil.user('fay', ['finance'])];
  const { id } = await ada.start('chaser', 'Chase the invoices that are overdue.');
  await ada.asleep(id);

  await vigil.advance('P2D');
  assert.equal((await ada.read(id)).status, 'sleeping');
  await vigil.advance('P1D');
  const { callbacks } = await ada.waiting(id);
  await fay.answer(id, callbacks[0]!.id, { approved: true });
  const { calls } = await ada.asleep(id);
  assert.deepEqual(calls.map(({ tool, status }) => `${tool} ${status}`).slice(0, 5), [
    'list_overdue_invoices completed',
    'send_reminder completed',
    'schedule completed',
    'list_overdue_invoices completed',
    'escalate completed',
  ]);

  await ada.cancel(id);
  await ada.until(id, ({ calls }) => calls[4]?.status === 'undone');
  assert.deepEqual(invoices.bodies.slice(-2), [
    { collection: calls[4]!.id, invoice: small.number },
    { collection: calls[4]!.id },
  ]);
});

test('a mail that was sent before everything died is not sent again, and the agent is told', async () => {
  const before = mails.requests.length;
  vigil.model.script([remind(small), result('Somebody must look whether 2030-17 was reminded.')]);
  const ada = await vigil.user('ada');
  const sent = mails.holdNext();
  const { id } = await ada.start('chaser', 'Remind the customer of 2030-17.');
  await sent;
  await vigil.kill();
  mails.release();
  await vigil.restart();

  await vigil.advanceUntil(async () => (await ada.read(id)).status === 'done');
  assert.equal(mails.requests.length - before, 1);
  assert.equal((await ada.read(id)).calls[0]?.status, 'unknown');
});

test('without its key, a run fails by the name of the key, and nobody is asked', async () => {
  const before = invoices.requests.length;
  await using keyless = await startVigil({ variables: { INVOICES_URL: invoices.url } });
  keyless.model.script([call('list_overdue_invoices'), result('The key is missing.')]);
  const ada = await keyless.user('ada');
  const { id } = await ada.start('chaser', 'What is overdue?');

  const { run } = await ada.finished(id);
  assert.equal(run?.status, 'failed');
  assert.match(run.reason ?? '', /^INVOICES_API_KEY is not set/);
  assert.equal(invoices.requests.length, before);
});
