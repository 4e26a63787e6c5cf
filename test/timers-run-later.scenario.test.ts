import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { timersOf } from './support/stories/timers';

// Any tool after a delay, with the arguments that the model gave when it arranged it.

const lastOf = ({ messages }: ChatRequest) => String(messages.at(-1)?.content);
const later = (id: string, tool: string, args: unknown, delay_seconds = 3_600) => ({
  id,
  name: 'run_later',
  arguments: { tool, arguments: typeof args === 'string' ? args : JSON.stringify(args), delay_seconds },
});
const onlyLater = (tool: string, args: unknown): Reply => ({ toolCalls: [later('later', tool, args)] });

describe('a tool for later (R48)', () => {
  let vigil: Vigil;
  let thirdParty: ThirdParty;
  beforeEach(async () => {
    thirdParty = await startThirdParty();
    vigil = await startVigil();
  });
  afterEach(async () => {
    await vigil?.stop();
    await thirdParty?.stop();
  });

  async function given(...replies: Reply[]) {
    vigil.model.script(replies);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Later');
    const { timers, run } = await ada.finished(id);
    for (const { id: timerId } of timers) await timersOf(vigil).until(timerId, 'RUNNING');
    return { ada, id, timers, runId: run!.id };
  }

  test('is called with exactly its arguments, without the model being asked again, and the model reads its result', async () => {
    const url = `${thirdParty.url}/ünï"code`;
    const { ada, id, runId, timers } = await given(
      onlyLater('hit', { url }),
      { text: 'Arranged.' },
      { text: 'It is done.' },
    );
    expect(timers).toMatchObject([{ kind: 'tool', tool: 'hit', arguments: { url }, status: 'active' }]);
    expect([vigil.model.calls, thirdParty.effects]).toEqual([2, 0]);

    await vigil.advance('PT61M');
    const done = await ada.until(id, ({ status, run }) => status === 'done' && run?.id !== runId);
    expect(done.calls).toMatchObject([
      { tool: 'run_later', result: { scheduled: 'hit', timer_id: timers[0]!.id } },
      { tool: 'hit', arguments: { url }, status: 'completed', result: { hits: 1 } },
    ]);
    expect(thirdParty.effects).toBe(1);
    expect(await vigil.states(done.run!.id)).toEqual(['CallModel', 'Route', 'hit', 'CallModel', 'Route', 'Done']);
    expect(vigil.model.calls).toBe(3);
    expect(done.run!.usage.modelCalls).toBe(1);
    const [note, asked, result] = vigil.model.requests[2]!.messages.slice(-3);
    expect(String(note?.content)).toMatch(/⏰ Due at .* the tool hit is called\./);
    expect(asked).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'hit' } }] });
    expect(result).toMatchObject({ role: 'tool', content: '{"hits":1}' });
  });

  test('that needs approval asks for it then, and is called once it has it', async () => {
    const { ada, id, runId } = await given(
      onlyLater('pay', { url: thirdParty.url, cents: 50_000 }),
      { text: 'Arranged.' },
      { text: 'Paid.' },
    );
    expect((await ada.read(id)).callbacks).toEqual([]);
    await vigil.advance('PT61M');
    const asking = await ada.waiting(id);
    expect(asking.run!.id).not.toBe(runId);
    expect(asking.callbacks).toMatchObject([{ kind: 'approval', status: 'pending', prompt: 'Pay?', tool: 'pay' }]);
    expect(thirdParty.effects).toBe(0);
    await ada.answer(id, asking.callbacks[0]!.id, { approved: true });
    const done = await ada.finished(id);
    expect(done.calls.at(-1)).toMatchObject({ tool: 'pay', status: 'completed', result: { paid: 50_000 } });
    expect(thirdParty.effectPaths).toEqual(['/pay/50000']);
  });

  test.each([
    ['an unknown tool', 'fly', {}, /there is no tool "fly" that can be called later/],
    ['itself', 'run_later', {}, /there is no tool "run_later"/],
    ['arguments that do not fit', 'pay', { url: 'x', cents: -1 }, /do not fit pay: .*cents/],
    ['arguments that are no JSON', 'pay', '{"url"', /not valid JSON/],
    ['arguments that are no object', 'pay', '[1]', /do not fit pay/],
  ])('refuses %s at once', async (_, tool, args, error) => {
    const { timers, ada, id } = await given(onlyLater(tool, args), { text: 'I see.' });
    expect(timers).toEqual([]);
    expect((await ada.read(id)).calls).toMatchObject([
      { tool: 'run_later', status: 'failed', attempts: 0, error: expect.stringMatching(error) },
    ]);
    expect(lastOf(vigil.model.requests[1]!)).toMatch(error);
  });

  longTest('and 19 others at the same moment: each is called once, no more than 16 in a step', async () => {
    const some = (from: number, count: number) => ({
      toolCalls: Array.from({ length: count }, (_, index) =>
        later(`c${from + index}`, 'hit', { url: `${thirdParty.url}/${from + index}` }),
      ),
    });
    vigil.model.script((request, index) => {
      if (index === 0) return some(0, 12);
      if (index === 1) return some(12, 8);
      return { text: lastOf(request).includes('"hits"') ? 'All done.' : 'Arranged.' };
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Later');
    const { timers } = await ada.finished(id);
    expect(timers).toHaveLength(20);
    for (const { id: timerId } of timers) await timersOf(vigil).until(timerId, 'RUNNING');
    await vigil.advance('PT61M');
    await vigil.advanceUntil(async () => {
      const { status, calls } = await ada.read(id);
      return status === 'done' && calls.filter(({ tool }) => tool === 'hit').length === 20;
    });
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    expect([...thirdParty.effectPaths].sort()).toEqual([...paths].sort());
    const told = String(JSON.stringify(vigil.model.requests.at(-1)!.messages));
    expect(told.match(/⏰ Due at/g)).toHaveLength(20);
  });
});
