import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';

// A message to a run that sleeps in a Wait state is answered at once; the old wake-up changes nothing.

/** Eight in the morning, in thirty days. */
let at = '';
const inThirtyDays = async (vigil: Vigil) =>
  `${new Date((await vigil.now()).getTime() + 30 * 86_400_000).toISOString().slice(0, 10)}T08:00:00Z`;
const lastOf = ({ messages }: ChatRequest) => JSON.stringify(messages.at(-1));

/** Sleeps until a far day; asked anything meanwhile, it answers and goes back to sleep until the same time. */
function sleeper(request: ChatRequest): Reply {
  const last = lastOf(request);
  if (last.includes('The time has come')) return { text: 'Good morning.' };
  if (last.includes('Wake me')) return call(`sleep-${request.messages.length}`, 'schedule', { at });
  return { text: 'I am here, and go on sleeping.', ...call(`sleep-${request.messages.length}`, 'schedule', { at }) };
}

describe('a message to a sleeper (R109)', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil({ script: sleeper });
    at = await inThirtyDays(vigil);
  });
  afterEach(() => vigil?.stop());

  async function givenSleeper() {
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Wake me on that day');
    const { run } = await ada.asleep(id);
    return { ada, id, runId: run!.id };
  }

  test('is answered at once, in the next segment; the run sleeps on until the same time, and wakes once', async () => {
    const { ada, id, runId } = await givenSleeper();
    await ada.say(id, 'Are you there?');
    const again = await ada.until(id, ({ run, status }) => status === 'sleeping' && run?.segment === 2);
    expect(again.until).toBe(new Date(at).toISOString());
    expect(wordsOf(again).at(-1)).toEqual(['tester', 'I am here, and go on sleeping.']);
    const request = vigil.model.requests[1]!;
    expect(request.messages.slice(-2).map(({ role, content }) => [role, String(content)])).toEqual([
      [
        'tool',
        expect.stringMatching(
          /^Interrupted: the time .*T08:00:00.000Z has not come yet; it is .*\. A new message has arrived/,
        ),
      ],
      ['user', 'Are you there?'],
    ]);

    const [first, second] = await vigil.executions(runId);
    expect([first!.status, second!.status]).toEqual(['ABORTED', 'RUNNING']);
    await vigil.advance('P31D');
    const done = await ada.finished(id);
    expect(wordsOf(done).at(-1)).toEqual(['tester', 'Good morning.']);
    expect(done.run).toMatchObject({ status: 'done', segment: 2 });
    expect(vigil.model.calls).toBe(3);
  });

  test('its owner wakes it before its time, once; that time changes nothing any more (R255)', async () => {
    const { ada, id, runId } = await givenSleeper();
    const until = new Date(at).toISOString();
    const wake = () => ada.request('POST', `/conversations/${id}/wake`, { until });
    for (const _ of [1, 2]) expect((await wake()).status).toBe(202);
    const done = await ada.finished(id);
    expect(wordsOf(done).at(-1)).toEqual(['tester', 'Good morning.']);
    expect(done.run).toMatchObject({ id: runId, segment: 2 });
    await vigil.advance('P31D');
    expect((await ada.read(id)).messages).toHaveLength(done.messages.length);
    expect((await vigil.executions(runId)).map(({ status }) => status)).toEqual(['ABORTED', 'SUCCEEDED']);
    expect(vigil.model.calls).toBe(2);
  });

  test('leaves the run cancelled by nobody: the stopped execution does not end it', async () => {
    const { ada, id, runId } = await givenSleeper();
    await ada.say(id, 'Are you there?');
    await ada.until(id, ({ run, status }) => status === 'sleeping' && run?.segment === 2);
    await vigil.advanceUntil(async () => /"message":"settle"[^\n]*"settled":false/.test(vigil.logs()));
    expect((await ada.read(id)).run).toMatchObject({ id: runId, status: 'sleeping' });
  });

  test('three at once wake it once, and are taken up in order (R59)', async () => {
    const { ada, id } = await givenSleeper();
    await Promise.all(['One', 'Two', 'Three'].map((text) => ada.say(id, text)));
    const again = await ada.until(
      id,
      ({ status, messages }) => status === 'sleeping' && messages.every((message) => message.status === 'complete'),
    );
    expect(
      again.messages
        .filter(({ role }) => role === 'user')
        .map(({ text }) => text)
        .slice(1)
        .sort(),
    ).toEqual(['One', 'Three', 'Two']);
    const numbers = again.messages.map(({ seq }) => seq);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });
});

describe('a message (R109)', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
    at = await inThirtyDays(vigil);
  });
  afterEach(() => vigil?.stop());

  test('that comes while the model decides to sleep keeps it awake', async () => {
    vigil.model.script([
      { text: 'Let me sleep on it.', ...call('c1', 'schedule', { at }), holdAfter: 3 },
      { text: 'Or not.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Sleep');
    await vigil.model.held();
    await ada.say(id, 'Wait!');
    vigil.model.release();
    const done = await ada.finished(id);
    expect(done.status).toBe('done');
    expect(done.calls).toMatchObject([
      { tool: 'schedule', status: 'completed', result: expect.stringMatching(/^Interrupted/) },
    ]);
    expect((await vigil.states(done.run!.id)).includes('Sleep')).toBe(false);
  });

  test('to a run with a tool at work beside a wait lets the tool finish first, and then keeps it awake', async () => {
    const party = await startThirdParty();
    const toolCalls = [
      { id: 'c1', name: 'schedule', arguments: { at } },
      { id: 'c2', name: 'hit', arguments: { url: party.url } },
    ];
    vigil.model.script([{ toolCalls }, { text: 'Both seen.' }]);
    const ada = await vigil.user();
    const atWork = party.holdNext();
    const { id } = await ada.start('tester', 'Do both');
    await atWork;
    await ada.say(id, 'And?');
    party.release();
    const done = await ada.finished(id);
    await party.stop();
    expect(done.calls).toMatchObject([
      { tool: 'schedule', status: 'completed', result: expect.stringMatching(/^Interrupted/) },
      { tool: 'hit', status: 'completed', result: { hits: 1 } },
    ]);
    expect(await vigil.states(done.run!.id)).toEqual(['CallModel', 'Route', 'hit', 'CallModel', 'Route', 'Done']);
  });
});
