import type { Conversation } from './support/api-types';
import { type Fault, startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn } from './support/stories/transcript';

// A decision is committed before its token is used. Whoever dies around that, the payment is made once.

describe('a process that dies around an approval', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
    vigil.model.script([call('c', 'pay', { url: party.url, cents: 50_000 }), { text: 'Paid.' }]);
  });
  afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));

  const pendingIn = ({ callbacks }: Conversation) => callbacks.find(({ status }) => status === 'pending')?.id;
  async function asked() {
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    const callbackId = pendingIn(await ada.until(id, (now) => pendingIn(now) !== undefined))!;
    return { ada, id, path: `/conversations/${id}/callbacks/${callbackId}`, callbackId };
  }
  const kill = async () => {
    await vigil.kill();
    await vigil.restart();
  };
  async function expectPaidOnce(id: string) {
    const done = await nudgeToEnd(vigil, id);
    expect(done.status).toBe('done');
    expect(done.calls).toMatchObject([{ status: 'completed' }]);
    expect(party.effects).toBe(1);
    expect(resultsIn(vigil)).toEqual(['{"paid":50000}']);
    expect(vigil.model.calls).toBe(2);
    return done;
  }

  test('kill -9 while it waits: it still waits, days later, and the model is not asked again (R51, R52)', async () => {
    const { id, path } = await asked();
    await kill();
    await vigil.advance('P2D');
    const ada = await vigil.user();
    expect(await ada.read(id)).toMatchObject({ status: 'waiting', callbacks: [{ status: 'pending' }] });
    expect((await ada.request('POST', path, { approved: true })).status).toBe(202);
    await expectPaidOnce(id);
  });

  test('kill -9 right after the decision (R51)', async () => {
    const { ada, id, path } = await asked();
    expect((await ada.request('POST', path, { approved: true })).status).toBe(202);
    await kill();
    await expectPaidOnce(id);
  });

  test('kill -9 in the middle of the decision: asked for again, it is decided once (R51, R53)', async () => {
    const { ada, id, path } = await asked();
    const lost = ada.request('POST', path, { approved: true }).catch(() => undefined);
    await kill();
    await lost;
    const again = await (await vigil.user()).request('POST', path, { approved: true });
    expect([202, 409]).toContain(again.status);
    await expectPaidOnce(id);
  });

  const faults: [string, Fault][] = [
    ['Ask before it has asked', { function: 'Ask', kind: 'crash', at: 'before' }],
    ['Ask after it has kept the token', { function: 'Ask', kind: 'crash', at: 'after' }],
    ['Ask three times', { function: 'Ask', kind: 'crash', at: 'after', times: 3 }],
    ['the relay, twice', { function: 'Relay', kind: 'crash', at: 'before', times: 2 }],
  ];
  test.each(faults)('%s dies: it can be decided, and is (R51)', async (_who, fault) => {
    await vigil.fault(fault);
    const { ada, id, path } = await asked();
    expect((await ada.request('POST', path, { approved: true })).status).toBe(202);
    await expectPaidOnce(id);
  });

  test('the API dies after the decision is committed: the relay tells the execution (R51)', async () => {
    const { ada, id, path } = await asked();
    await vigil.fault({ function: 'Api', kind: 'crash', at: 'after' });
    await ada.request('POST', path, { approved: true }).catch(() => undefined);
    await expectPaidOnce(id);
    expect((await ada.request('POST', path, { approved: false })).status).toBe(409);
  });

  test('decided before anybody was told that it is asked: Ask passes it on (R51)', async () => {
    await vigil.fault({ function: 'Ask', kind: 'throttle', at: 'before', times: 2 });
    const { ada, id, path } = await asked();
    expect((await ada.request('POST', path, { approved: true })).status).toBe(202);
    const done = await expectPaidOnce(id);
    expect(done.callbacks).toMatchObject([{ status: 'answered' }]);
  });

  test('nobody can be asked at all: the model hears of that, and nothing is paid (R21)', async () => {
    await vigil.fault({ function: 'Ask', kind: 'error', at: 'before', times: 50 });
    const { id, path } = await asked();
    const done = await nudgeToEnd(vigil, id);
    expect(done).toMatchObject({ status: 'done', calls: [{ status: 'failed' }], callbacks: [{ status: 'expired' }] });
    expect(resultsIn(vigil)[0]).toMatch(/^Error: The request could not be sent/);
    expect((await (await vigil.user()).request('POST', path, { approved: true })).status).toBe(409);
    expect(party.effects).toBe(0);
  });

  test('kill -9 while the time runs out: the model is told once (R53)', async () => {
    const { id, path } = await asked();
    await vigil.advance('P2DT23H59M');
    await kill();
    await vigil.advanceUntil(async () => (await (await vigil.user()).read(id)).status === 'done');
    const ada = await vigil.user();
    expect(resultsIn(vigil)).toEqual(['Error: Nobody approved the payment within three days, so it was not made.']);
    expect((await ada.request('POST', path, { approved: true })).status).toBe(409);
    expect(party.effects).toBe(0);
  });
});
