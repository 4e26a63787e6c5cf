import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from './support/clouds/assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { startMcpServers } from './support/servers/guard';
import { call, resultsIn } from './support/stories/transcript';
import { rights } from './support/template-rights';

// The reference server of MCP. Its reviewed tools are in test/agents/tools/everything.mcp.json.

describe('the tools of an MCP server', () => {
  let servers: Awaited<ReturnType<typeof startMcpServers>>;
  let vigil: Vigil;
  beforeAll(async () => {
    servers = await startMcpServers();
    vigil = await startVigil({ variables: servers.variables });
  });
  afterAll(async () => {
    await vigil?.stop();
    await servers?.stop();
  });

  test('are states of a run; their results are words from outside, after which a person approves the next call (R53, R175)', async () => {
    vigil.model.script([
      call('a', 'everything__get_structured_content', { location: 'Chicago' }),
      call('b', 'everything__get_sum', { a: 2, b: 3 }),
      { text: 'Five.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'How is the weather, and what is 2 + 3?');
    const { callbacks } = await ada.waiting(id);
    expect(callbacks).toMatchObject([{ tool: 'everything__get_sum', arguments: { a: 2, b: 3 }, sources: ['system'] }]);
    await ada.answer(id, callbacks[0]!.id, { approved: true });
    const { run, calls } = await ada.finished(id);
    expect(calls).toMatchObject([
      { status: 'completed', attempts: 1, result: { conditions: expect.any(String), humidity: expect.any(Number) } },
      { status: 'completed', attempts: 1, result: 'The sum of 2 and 3 is 5.' },
    ]);
    expect(resultsIn(vigil)[1]).toContain('The sum of 2 and 3 is 5.');
    expect(await vigil.states(run!.id)).toEqual(
      stepsTo('everything__get_structured_content', 'AwaitCallback', 'everything__get_sum', 'Done'),
    );
  });

  test('are called with tokens of an authorization server: one for several calls, another one when it is revoked and its client is taken again (R175)', async () => {
    const { giver, door } = servers;
    vigil.model.script([
      call('a', 'guarded__echo', { message: 'one' }),
      call('b', 'guarded__echo', { message: 'two' }),
      { text: 'Done.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'Go');
    const { calls } = await ada.finished(id);
    const echoed = (message: string) => ({ status: 'completed', attempts: 1, result: `Echo: ${message}` });
    expect(calls).toMatchObject([echoed('one'), echoed('two')]);
    expect(giver.requests).toEqual([{ grant_type: 'client_credentials', scope: 'tools', resource: door.url }]);

    // Revoked, and the client refused: the run ends with what to check, and its retry has another token.
    giver.revoke();
    giver.client.secret = 'another-secret';
    vigil.model.script([call('c', 'guarded__echo', { message: 'three' }), { text: 'Done.' }]);
    await ada.say(id, 'Again');
    const { reason } = (await ada.until(id, ({ status }) => status === 'failed')).run!;
    expect(reason).toContain('refuses the client (invalid_client): check "clientId" and the secret');
    giver.client.secret = 'the-secret';
    await ada.request('POST', `/conversations/${id}/retry`, {});
    const again = await ada.until(id, ({ status }) => status === 'done');
    expect(again.calls.at(-1)).toMatchObject({ status: 'completed', result: 'Echo: three' });
  });

  test('of the current revision act, ask for days and continue, or are begun once and looked after: nothing is done twice, whatever dies; a call may be declined, and a cancel ends the work (R222)', async () => {
    const { station } = servers;
    const book = (callId: string, train: string) => call(callId, 'station__book_seat', { train });
    const plan = (callId: string, to: string) => call(callId, 'station__plan_trip', { to });
    station.next.works = 4;
    vigil.model.script([book('a', 'ICE 1'), plan('b', 'Oslo'), { text: 'Planned.' }, { text: 'Booked.' }]);
    let ada = await vigil.user();
    const { id } = await ada.start('connected', 'A seat, please');
    const { callbacks } = await ada.waiting(id);
    expect(callbacks).toMatchObject([
      {
        kind: 'approval',
        asker: 'station',
        arguments: { seat: '' },
        kinds: { seat: 'one of: window, aisle' },
        prompt: expect.stringContaining('"Which seat on ICE 1?"'),
      },
    ]);
    await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'after' });
    const { id: oslo } = await ada.start('connected', 'A trip to Oslo, please');
    const task = await ada.waiting(oslo);
    expect([task.waitsFor, task.callbacks]).toMatchObject(['outside', [{ kind: 'task', status: 'pending' }]]);
    await vigil.kill();
    await vigil.restart();
    ada = await vigil.user();
    await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'before' });
    for (const _ of [1, 2]) await vigil.advance('P3D');
    const planned = await ada.finished(oslo);
    expect(planned.calls).toMatchObject([{ status: 'completed', result: 'A trip to Oslo.' }]);
    expect(planned.callbacks).toMatchObject([{ kind: 'task', status: 'answered' }]);
    const [trip, ...others] = [...station.trips.values()];
    expect([trip, others]).toMatchObject([{ callId: planned.calls[0]!.id }, []]);
    expect(trip!.looks).toBeGreaterThan(4);

    const [question] = callbacks;
    await expect(ada.answer(id, question!.id, { approved: true, arguments: {} })).rejects.toThrow('fill it in');
    await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'before' });
    await ada.answer(id, question!.id, { approved: true, arguments: { seat: 'window' } });
    const { calls } = await ada.finished(id);
    expect(calls).toMatchObject([{ status: 'completed', result: 'Booked ICE 1: window.' }]);
    expect([station.reserved, station.booked, station.released]).toEqual([[calls[0]!.id], [calls[0]!.id], []]);
    expect([...station.revisions]).toEqual(['2026-07-28']);

    vigil.model.script([book('c', 'ICE 2'), { text: 'So be it.' }]);
    await ada.say(id, 'Another one');
    const asked = await ada.until(id, (seen) => seen.status === 'waiting' && seen.callbacks.length === 2);
    await ada.answer(id, asked.callbacks.at(-1)!.id, { approved: false });
    const declined = (await ada.finished(id)).calls.at(-1)!;
    expect(declined).toMatchObject({ status: 'completed', result: 'Released the seat on ICE 2.' });
    expect(station.released).toEqual([declined.id]);

    station.next.works = 1;
    vigil.model.script([plan('d', 'Rome')]);
    const { id: rome } = await ada.start('connected', 'A trip to Rome, please');
    const isQuestion = ({ asker, status }: { asker?: string; status: string }) => asker && status === 'pending';
    const travels = await ada.until(rome, (seen) => seen.callbacks.some(isQuestion));
    expect(travels.callbacks.find(isQuestion)!.prompt).toContain('"How do you travel to Rome?"');
    await ada.request('POST', `/conversations/${rome}/cancel`, {});
    const { calls: ended } = await ada.until(rome, ({ status }) => status === 'cancelled');
    expect(ended).toMatchObject([{ status: 'unknown' }]);
    const [, toRome] = [...station.trips.values()];
    expect(toRome!.callId).toBe(ended[0]!.id);
    await vigil.advanceUntil(async () => toRome!.cancelled === true);
    expect(trip!.cancelled).toBeUndefined();
  });
});

test('one function serves them all; it may read no row, and RunIsolated invokes it (R148, R175)', () => {
  const may = rights(JSON.parse(readFileSync(join(assembly, 'Vigil.template.json'), 'utf8')));
  expect(may.Everything!.filter((right) => !/^(logs|xray):/.test(right))).toEqual([]);
  expect(Object.keys(may).filter((id) => id.startsWith('Everything'))).toEqual(['Everything']);
  expect(may.RunIsolated).toContain('lambda:InvokeFunction on Everything.Arn');
});
