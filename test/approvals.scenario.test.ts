import type { Conversation } from './support/api-types';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import type { Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, resultsIn } from './support/stories/transcript';

// Above its limit, `pay` asks first: it is run with what a person approved, once, or not at all.

describe('a tool that needs approval', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([vigil?.stop(), party?.stop()]));
  let before = 0;
  let effectsBefore = 0;
  beforeEach(() => {
    before = party.requests.length;
    effectsBefore = party.effects;
  });

  const pay = (cents: number): Reply => call('c', 'pay', { url: party.url, cents });
  const paid = () => party.effectPaths.slice(effectsBefore);
  const pending = ({ callbacks }: Conversation) => callbacks.filter(({ status }) => status === 'pending');
  const path = (id: string, callbackId: string) => `/conversations/${id}/callbacks/${callbackId}`;

  async function asked(...script: Reply[]) {
    vigil.model.script(script);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Pay');
    const waiting = await ada.waiting(id);
    return { ada, id, waiting, callbackId: pending(waiting)[0]!.id };
  }

  test('above it waits and says for what; approved, it runs once, and a second decision is refused (R51, R54, R57, R108)', async () => {
    const { ada, id, waiting, callbackId } = await asked(pay(10_001), { text: 'Paid.' });
    const expiresAt = new Date(Date.parse(waiting.calls[0]!.createdAt) + 3 * 86_400_000).toISOString();
    expect(waiting.callbacks).toEqual([
      {
        id: callbackId,
        callId: waiting.calls[0]!.id,
        runId: waiting.run!.id,
        version: expect.any(Number),
        kind: 'approval',
        prompt: 'Pay?',
        tool: 'pay',
        arguments: { url: party.url, cents: 10_001 },
        status: 'pending',
        createdAt: waiting.calls[0]!.createdAt,
        expiresAt,
        agent: 'tester',
        schema: expect.objectContaining({ required: ['url', 'cents'] }),
        fields: [
          { name: 'cents', label: 'cents', kind: 'number', text: '10001' },
          { name: 'url', label: 'url', kind: 'text', text: `"${party.url}"` },
        ],
      },
    ]);
    expect(waiting.calls).toMatchObject([{ status: 'waiting', attempts: 0, callbackId }]);
    expect(waiting.run).toMatchObject({ status: 'waiting' });
    expect((await ada.list()).conversations.find((one) => one.id === id)).toMatchObject({ status: 'waiting' });
    expect(party.requests).toHaveLength(before);

    const decisions = await Promise.all(
      [{ approved: true }, { approved: true }].map((body) => ada.request('POST', path(id, callbackId), body)),
    );
    expect(decisions.map(({ status }) => status).sort()).toEqual([202, 409]);
    const done = await ada.finished(id);
    expect(decisions.find(({ status }) => status === 409)!.body).toMatchObject({
      detail: 'This has already been answered; the first answer holds.',
      outcome: { approved: true },
    });
    const late = await ada.request('POST', path(id, callbackId), { approved: false });
    expect(late).toMatchObject({ status: 409, body: { outcome: { approved: true } } });
    expect(done.calls).toMatchObject([{ status: 'completed', attempts: 1, result: { paid: 10_001 } }]);
    expect(done.calls[0]!.edited).toBeUndefined();
    expect(party.requests.slice(before)).toEqual([done.calls[0]!.id]);
    expect(resultsIn(vigil)).toEqual(['{"paid":10001}']);
    expect(await vigil.states(done.run!.id)).toEqual(stepsTo('AwaitCallback', 'pay', 'Done'));
  });

  test('the task token is in no answer and in no log (R35, R51)', async () => {
    const { ada, id, callbackId } = await asked(pay(20_000), { text: 'Paid.' });
    const rows = JSON.stringify(await ada.read(id));
    const answer = JSON.stringify(await ada.answer(id, callbackId, { approved: true }));
    const done = await ada.finished(id);
    const [token] = /"TaskToken|taskToken/i.exec(rows + answer + JSON.stringify(done)) ?? [];
    expect(token).toBeUndefined();
    const tokens = (await vigil.history(done.run!.id))
      .flatMap(({ taskScheduledEventDetails: scheduled }) => scheduled?.parameters ?? [])
      .flatMap((parameters) => /"taskToken":"([^"]+)"/.exec(parameters)?.[1] ?? []);
    expect(tokens).toHaveLength(1);
    for (const text of [rows, answer, vigil.logs()]) expect(text).not.toContain(tokens[0]);
  });

  test('denied, the model reads the reason and tries again, as often as it takes (R54, R55)', async () => {
    const { ada, id } = await asked(pay(50_000), pay(40_000), pay(30_000), { text: 'Paid.' });
    for (const reason of ['Too much.', undefined]) {
      const [one] = pending(await ada.until(id, (now) => pending(now).length === 1));
      await ada.answer(id, one!.id, { approved: false, reason });
      await ada.until(id, (now) => pending(now)[0]?.id !== one!.id && pending(now).length === 1);
    }
    await ada.answer(id, pending(await ada.read(id))[0]!.id, { approved: true });
    const done = await ada.finished(id);
    expect(resultsIn(vigil)).toEqual([
      'Error: Not approved, so it was not done. The reason: Too much.',
      'Error: Not approved, so it was not done.',
      '{"paid":30000}',
    ]);
    expect(done.calls.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['failed', 0],
      ['failed', 0],
      ['completed', 1],
    ]);
    expect(paid()).toEqual(['/pay/30000']);
  });

  test('what does not fit the kind says what to do; what is not yours is not there (R53, R54, R124)', async () => {
    const { ada, id, callbackId } = await asked(call('q', 'ask_user', { question: 'Who?' }), pay(50_000), {
      text: 'Ok.',
    });
    const eve = await vigil.user('eve');
    const toQuestion = await ada.request('POST', path(id, callbackId), { approved: true });
    expect(toQuestion).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'answer', message: 'this is a question: give an answer in words' }] },
    });
    await ada.answer(id, callbackId, { answer: 'Bob' });
    const approval = pending(await ada.until(id, (now) => pending(now)[0]?.kind === 'approval'))[0]!.id;
    expect(await ada.request('POST', path(id, approval), { answer: 'Yes!' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'approved', message: 'this is an approval: give approved, true or false' }] },
    });
    const both = [
      {},
      { answer: 'Yes', approved: true },
      { approved: false, arguments: {} },
      { approved: true, reason: 'x' },
    ];
    for (const body of both) expect((await ada.request('POST', path(id, approval), body)).status).toBe(400);
    for (const body of [{ approved: true }, { answer: 'Mars' }])
      expect((await eve.request('POST', path(id, approval), body)).status).toBe(404);
    expect((await ada.request('POST', path(id, `${approval}x`), { approved: true })).status).toBe(404);
    expect(pending(await ada.read(id))).toHaveLength(1);
    await ada.answer(id, approval, { approved: false });
    expect((await ada.finished(id)).status).toBe('done');
    expect(party.requests).toHaveLength(before);
  });

  test('a message does not decide: it is read when the decision is there (R56)', async () => {
    const { ada, id, callbackId } = await asked(pay(50_000), { text: 'Paid, and hello.' });
    await ada.say(id, 'Hello?');
    expect(pending(await ada.read(id))).toHaveLength(1);
    await ada.answer(id, callbackId, { approved: true });
    const done = await ada.finished(id);
    expect(vigil.model.requests.at(-1)!.messages.at(-1)).toMatchObject({ role: 'user', content: 'Hello?' });
    expect(done.calls).toMatchObject([{ status: 'completed' }]);
  });
});
