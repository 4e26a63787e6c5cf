import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { timersOf } from './support/stories/timers';

// Any tool after a delay, with the arguments that the model gave when it arranged it.

const later = (id: string, tool: string, args: unknown) => ({
  id,
  name: 'run_later',
  arguments: { tool, arguments: typeof args === 'string' ? args : JSON.stringify(args), delay_seconds: 3_600 },
});

describe('a tool for later (R48)', () => {
  let vigil: Vigil;
  let thirdParty: ThirdParty;
  beforeAll(async () => {
    thirdParty = await startThirdParty();
    vigil = await startVigil();
  });
  afterAll(async () => {
    await vigil?.stop();
    await thirdParty?.stop();
  });

  test('is refused at once, or called with exactly its arguments, without the model being asked again; the model reads its result, and an approval is asked for then', async () => {
    const url = `${thirdParty.url}/ünï"code`;
    const refused: [tool: string, args: unknown, error: RegExp][] = [
      ['fly', {}, /there is no tool "fly" that can be called later/],
      ['run_later', {}, /there is no tool "run_later"/],
      ['pay', { url: 'x', cents: -1 }, /do not fit pay: .*cents/],
      ['pay', '{"url"', /not valid JSON/],
      ['pay', '[1]', /do not fit pay/],
    ];
    vigil.model.script([
      { toolCalls: refused.map(([tool, args], nth) => later(`refused${nth}`, tool, args)) },
      { toolCalls: [later('hit', 'hit', { url })] },
      { text: 'Arranged.' },
      { toolCalls: [later('pay', 'pay', { url: thirdParty.url, cents: 50_000 })] },
      { text: 'Paid.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Later');
    const arranged = await ada.finished(id);
    expect(arranged.calls.slice(0, refused.length)).toMatchObject(
      refused.map(([, , error]) => ({ status: 'failed', attempts: 0, error: expect.stringMatching(error) })),
    );
    const told = vigil.model.requests[1]!.messages.slice(-refused.length);
    expect(told.map(({ content }) => content)).toEqual(refused.map(([, , error]) => expect.stringMatching(error)));
    const [timer] = arranged.timers;
    expect(arranged.timers).toMatchObject([{ kind: 'tool', tool: 'hit', arguments: { url }, status: 'active' }]);
    await timersOf(vigil).until(timer!.id, 'RUNNING');
    expect([vigil.model.calls, thirdParty.effects]).toEqual([3, 0]);

    await vigil.advance('PT61M');
    const called = await ada.until(id, ({ status, timers }) => status === 'done' && timers.length === 2);
    expect(called.calls.slice(refused.length)).toMatchObject([
      { tool: 'run_later', result: { scheduled: 'hit', timer_id: timer!.id } },
      { tool: 'hit', arguments: { url }, status: 'completed', result: { hits: 1 } },
      { tool: 'run_later', status: 'completed' },
    ]);
    expect(thirdParty.effects).toBe(1);
    expect((await vigil.states(called.run!.id)).slice(0, 4)).toEqual(['CallModel', 'Route', 'hit', 'CallModel']);
    expect(vigil.model.calls).toBe(5);
    const [note, asked, result] = vigil.model.requests[3]!.messages.slice(-3);
    expect(String(note?.content)).toMatch(/⏰ Due at .* the tool hit is called\./);
    expect(asked).toMatchObject({ role: 'assistant', tool_calls: [{ function: { name: 'hit' } }] });
    expect(result).toMatchObject({ role: 'tool', content: '{"hits":1}' });

    vigil.model.script([{ text: 'There.' }]);
    await timersOf(vigil).until(called.timers.find(({ tool }) => tool === 'pay')!.id, 'RUNNING');
    await vigil.advance('PT61M');
    const asking = await ada.waiting(id);
    expect(asking.run!.id).not.toBe(called.run!.id);
    expect(asking.callbacks).toMatchObject([{ kind: 'approval', status: 'pending', prompt: 'Pay?', tool: 'pay' }]);
    expect(thirdParty.effects).toBe(1);
    await ada.answer(id, asking.callbacks[0]!.id, { approved: true });
    const done = await ada.finished(id);
    expect(done.calls.at(-1)).toMatchObject({ tool: 'pay', status: 'completed', result: { paid: 50_000 } });
    expect(thirdParty.effectPaths[1]).toBe('/pay/50000');
  });

  test('and 17 others at the same moment: each is called once, no more than 16 in a step', async () => {
    const before = thirdParty.effectPaths.length;
    const some = (from: number) => ({
      toolCalls: Array.from({ length: 9 }, (_, nth) =>
        later(`c${from + nth}`, 'hit', { url: `${thirdParty.url}/${from + nth}` }),
      ),
    });
    vigil.model.script(({ messages }, index) => {
      if (index < 2) return some(9 * index);
      return { text: String(messages.at(-1)!.content).includes('"hits"') ? 'All done.' : 'Arranged.' };
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Later');
    const { timers } = await ada.finished(id);
    expect(timers).toHaveLength(18);
    for (const { id: timerId } of timers) await timersOf(vigil).until(timerId, 'RUNNING');
    await vigil.advance('PT61M');
    await vigil.advanceUntil(async () => {
      const { status, calls } = await ada.read(id);
      return status === 'done' && calls.filter(({ tool }) => tool === 'hit').length === 18;
    });
    const paths = Array.from({ length: 18 }, (_, index) => `/${index}`);
    expect(thirdParty.effectPaths.slice(before).sort()).toEqual(paths.sort());
    const told = String(JSON.stringify(vigil.model.requests.at(-1)!.messages));
    expect(told.match(/⏰ Due at/g)).toHaveLength(18);
  });
});
