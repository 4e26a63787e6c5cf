import type { Conversation } from './support/api-types';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { resultsIn } from './support/stories/transcript';

// R113: the approvals of one reply do not mix. Each waits for itself, with its own token, in its own iteration of the Map.

describe('several calls of one reply that need approval', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));

  const cents = [10_001, 10_002, 10_003, 10_004, 10_005];
  const pay = (amount: number) => ({ id: `pay_${amount}`, name: 'pay', arguments: { url: party.url, cents: amount } });
  const pending = ({ callbacks }: Conversation) => callbacks.filter(({ status }) => status === 'pending');
  const paid = () => party.effectPaths.map((path) => Number(path.split('/').at(-1)));

  async function asked(...more: { id: string; name: string; arguments: object }[]) {
    vigil.model.script([{ toolCalls: [...cents.map(pay), ...more] }, { text: 'That is that.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay them all');
    const waiting = await ada.until(id, (now) => pending(now).length === 5 && now.status === 'waiting');
    const askedFor = (amount: number) =>
      waiting.callbacks.find(({ arguments: args }) => (args as { cents: number }).cents === amount)!.id;
    return { ada, id, askedFor };
  }

  async function tokensOf(runId: string): Promise<string[]> {
    const events = await vigil.history(runId);
    return events.flatMap(
      ({ taskScheduledEventDetails: one }) => /"taskToken":"([^"]+)"/.exec(one?.parameters ?? '')?.[1] ?? [],
    );
  }

  test('each is decided for itself and runs at once; nothing is repeated, and results come in call order (R28, R108, R113, R114)', async () => {
    const { ada, id, askedFor } = await asked();
    await ada.answer(id, askedFor(10_003), { approved: true });
    // It has run, and the other four still wait.
    const one = await ada.until(id, ({ calls }) => calls[2]!.status === 'completed');
    expect(one.status).toBe('waiting');
    expect(pending(one)).toHaveLength(4);
    expect(paid()).toEqual([10_003]);

    await ada.answer(id, askedFor(10_005), { approved: false, reason: 'Not this one.' });
    await ada.until(id, ({ calls }) => calls[4]!.status === 'failed');
    await ada.answer(id, askedFor(10_001), { approved: true, arguments: { url: party.url, cents: 1 } });
    await ada.until(id, ({ calls }) => calls[0]!.status === 'completed');
    expect(paid()).toEqual([10_003, 1]);
    expect(pending(await ada.read(id))).toHaveLength(2);
    expect(vigil.model.calls).toBe(1);

    await Promise.all([10_002, 10_004].map((amount) => ada.answer(id, askedFor(amount), { approved: true })));
    const done = await ada.finished(id);
    expect(paid().sort((a, b) => a - b)).toEqual([1, 10_002, 10_003, 10_004]);
    expect(party.requests).toHaveLength(4);
    expect(resultsIn(vigil)).toEqual([
      expect.stringMatching(/^\[The approver changed the arguments\..*\{"paid":1\}$/),
      '{"paid":10002}',
      '{"paid":10003}',
      '{"paid":10004}',
      'Error: Not approved, so it was not done. The reason: Not this one.',
    ]);
    expect(done.calls.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 0]);
    const tokens = await tokensOf(done.run!.id);
    expect(new Set(tokens).size).toBe(5);
    // CallModel, Route, RunTools; of each call its route and AwaitApproval, and again its route and where it led; then the end.
    const states = await vigil.states(done.run!.id);
    expect(states.length).toEqual(3 + 5 * (2 + 2) + 3);
    expect(states.filter((state) => state === 'pay (parallel)')).toHaveLength(4);
    expect(states.filter((state) => state === 'Refused (parallel)')).toHaveLength(1);
  });

  test('beside a function and a wait: the function has run, and it sleeps when all is decided (R113)', async () => {
    const at = new Date((await vigil.now()).getTime() + 86_400_000).toISOString();
    const { ada, id, askedFor } = await asked(
      { id: 'hit', name: 'hit', arguments: { url: `${party.url}/hit` } },
      { id: 'later', name: 'schedule', arguments: { at } },
    );
    await ada.until(id, ({ calls }) => calls[5]!.status === 'completed');
    for (const amount of cents.slice(0, 4)) await ada.answer(id, askedFor(amount), { approved: amount !== 10_002 });
    const four = await ada.until(
      id,
      ({ calls }) => calls[3]!.status === 'completed' && calls[0]!.status === 'completed',
    );
    expect(four.status).toBe('waiting');
    await ada.answer(id, askedFor(10_005), { approved: true });
    await ada.asleep(id);
    await vigil.advance('P2D');
    const done = await ada.finished(id);
    expect(done.calls.map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'completed',
      'completed',
      'completed',
      'completed',
      'completed',
    ]);
    expect(party.requests).toHaveLength(5);
    expect(resultsIn(vigil)[6]).toMatch(/^The time has come/);
  });

  test('some are decided and the time of the others runs out: each has its own result (R53, R113)', async () => {
    const { ada, id, askedFor } = await asked();
    await ada.answer(id, askedFor(10_004), { approved: true });
    await ada.until(id, ({ calls }) => calls[3]!.status === 'completed');
    await vigil.advance('P4D');
    const done = await ada.finished(id);
    const late = 'Error: Nobody approved the payment within three days, so it was not made.';
    expect(resultsIn(vigil)).toEqual([late, late, late, '{"paid":10004}', late]);
    expect(done.callbacks.map(({ status }) => status)).toEqual([
      'expired',
      'expired',
      'expired',
      'answered',
      'expired',
    ]);
    expect(paid()).toEqual([10_004]);
  });
});
