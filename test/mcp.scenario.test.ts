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

  test('are called with tokens of an authorization server: one for several calls, another one when it is revoked (R175)', async () => {
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

    giver.revoke();
    vigil.model.script([call('c', 'guarded__echo', { message: 'three' }), { text: 'Done.' }]);
    await ada.say(id, 'Again');
    expect((await ada.finished(id)).calls.at(-1)).toMatchObject(echoed('three'));
    expect(giver.requests).toHaveLength(2);
  });

  test('a client that the authorization server refuses ends the run with what to check; with the right secret, its retry goes on (R175)', async () => {
    const { giver } = servers;
    giver.client.secret = 'another-secret';
    giver.revoke();
    vigil.model.script([call('a', 'guarded__echo', { message: 'one' }), { text: 'Done.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'Go');
    const { run } = await ada.finished(id);
    expect(run).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('refuses the client (invalid_client): check "clientId" and the secret'),
    });
    giver.client.secret = 'the-secret';
    await ada.request('POST', `/conversations/${id}/retry`, {});
    expect((await ada.finished(id)).calls).toMatchObject([{ status: 'completed', result: 'Echo: one' }]);
  });

  test('may ask the user in the middle of a call, for days: the call is made once more, with the answer (R175)', async () => {
    const asking = call('a', 'guarded__trigger_elicitation_request', {});
    vigil.model.script([asking, { text: 'Thank you.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'Go');
    const { callbacks } = await ada.waiting(id);
    const blank = { name: '', check: false, integer: 42, untitledMultipleSelectEnum: ['Guitar'] };
    expect(callbacks).toMatchObject([
      {
        kind: 'approval',
        asker: 'guarded',
        tool: 'guarded__trigger_elicitation_request',
        arguments: blank,
        prompt: expect.stringContaining('"Please provide inputs for the following fields:"'),
        sources: ['system'],
      },
    ]);
    expect(callbacks[0]!.kinds!.untitledSingleSelectEnum).toMatch(/one of: Monica, Rachel/);
    await vigil.advance('P5D');
    const [question] = callbacks;
    const form = question!.arguments as object;
    await expect(ada.answer(id, question!.id, { approved: true, arguments: form })).rejects.toThrow('fill it in');
    const answered = { ...form, name: 'Ada', integer: 7 };
    await ada.answer(id, question!.id, { approved: true, arguments: answered });
    const { run, calls } = await ada.finished(id);
    expect(calls).toMatchObject([{ status: 'completed', attempts: 2, arguments: {} }]);
    expect(calls[0]!.result).toMatch(/- Name: Ada/);
    expect(await vigil.states(run!.id)).toEqual(
      stepsTo('guarded__trigger_elicitation_request', 'AwaitCallback', 'guarded__trigger_elicitation_request', 'Done'),
    );
  });

  test('of the current revision act, ask for weeks, and continue: nothing is done twice, whatever dies (R222)', async () => {
    const { station } = servers;
    vigil.model.script([call('a', 'station__book_seat', { train: 'ICE 1' }), { text: 'Booked.' }]);
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
    await vigil.kill();
    await vigil.restart();
    ada = await vigil.user();
    await vigil.advance('P6D');
    const [question] = callbacks;
    await expect(ada.answer(id, question!.id, { approved: true, arguments: {} })).rejects.toThrow('fill it in');
    await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'before' });
    await ada.answer(id, question!.id, { approved: true, arguments: { seat: 'window' } });
    const { calls } = await ada.finished(id);
    expect(calls).toMatchObject([{ status: 'completed', result: 'Booked ICE 1: window.' }]);
    expect([station.reserved, station.booked, station.released]).toEqual([[calls[0]!.id], [calls[0]!.id], []]);
    expect([...station.revisions]).toEqual(['2026-07-28']);

    vigil.model.script([call('b', 'station__book_seat', { train: 'ICE 2' }), { text: 'So be it.' }]);
    await ada.say(id, 'Another one');
    const asked = await ada.until(id, ({ status, callbacks }) => status === 'waiting' && callbacks.length === 2);
    await ada.answer(id, asked.callbacks.at(-1)!.id, { approved: false });
    const declined = (await ada.finished(id)).calls.at(-1)!;
    expect(declined).toMatchObject({ status: 'completed', result: 'Released the seat on ICE 2.' });
    expect(station.released).toEqual([declined.id]);
  });

  describe('a task of a server', () => {
    const plan = (id: string, to: string) => call(id, 'station__plan_trip', { to });

    test('is begun once and looked after for days, whatever dies; its result is that of the call (R222)', async () => {
      const { station } = servers;
      station.next.works = 4;
      vigil.model.script([plan('a', 'Oslo'), { text: 'Planned.' }]);
      let ada = await vigil.user();
      await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'after' });
      const { id } = await ada.start('connected', 'A trip to Oslo, please');
      const { waitsFor, callbacks } = await ada.waiting(id);
      expect([waitsFor, callbacks]).toMatchObject(['outside', [{ kind: 'task', status: 'pending' }]]);
      await vigil.kill();
      await vigil.restart();
      ada = await vigil.user();
      await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'before' });
      await vigil.advance('P3D');
      await vigil.advance('P1D');
      const { calls, callbacks: closed } = await ada.finished(id);
      expect(calls).toMatchObject([{ status: 'completed', result: 'A trip to Oslo.' }]);
      expect(closed).toMatchObject([{ kind: 'task', status: 'answered' }]);
      const [trip, ...others] = [...station.trips.values()];
      expect([trip, others]).toMatchObject([{ callId: calls[0]!.id }, []]);
      expect(trip!.looks).toBeGreaterThan(4);
    });

    test('asks the user in between; a run that is cancelled meanwhile has it ended (R222)', async () => {
      const { station } = servers;
      station.next.works = 1;
      vigil.model.script([plan('a', 'Rome'), plan('b', 'Rome')]);
      const ada = await vigil.user();
      const { id } = await ada.start('connected', 'A trip to Rome, please');
      const ofQuestion = ({ asker, status }: { asker?: string; status: string }) => asker && status === 'pending';
      const asked = await ada.until(id, ({ callbacks }) => callbacks.some(ofQuestion));
      const question = asked.callbacks.find(ofQuestion)!;
      expect(question.prompt).toContain('"How do you travel to Rome?"');
      await vigil.fault({ function: 'RunIsolated', kind: 'crash', at: 'after' });
      await ada.answer(id, question.id, { approved: true, arguments: { by: 'train' } });
      const again = await ada.until(id, ({ calls, callbacks }) => calls.length === 2 && callbacks.some(ofQuestion));
      expect(again.calls[0]).toMatchObject({ status: 'completed', result: 'A trip to Rome by train.' });
      await ada.request('POST', `/conversations/${id}/cancel`, {});
      const { calls } = await ada.until(id, ({ status }) => status === 'cancelled');
      expect(calls[1]).toMatchObject({ status: 'unknown' });
      const trips = [...station.trips.values()].filter(({ callId }) => calls.some((one) => one.id === callId));
      await vigil.advanceUntil(async () => trips[1]!.cancelled === true);
      expect(trips[0]!.cancelled).toBeUndefined();
    });
  });

  test('whose question is declined are not called again; beside another call, both are served (R175)', async () => {
    const ask = { name: 'guarded__trigger_elicitation_request', arguments: {} };
    vigil.model.script([
      {
        toolCalls: [
          { id: 'a', ...ask },
          { id: 'b', ...ask },
        ],
      },
      { text: 'So be it.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'Go');
    const { callbacks } = await ada.until(id, (seen) => seen.status === 'waiting' && seen.callbacks.length === 2);
    await ada.answer(id, callbacks[0]!.id, { approved: false, reason: 'None of your business.' });
    const form = callbacks[1]!.arguments as object;
    await ada.answer(id, callbacks[1]!.id, { approved: true, arguments: { ...form, name: 'Ada' } });
    const { calls } = await ada.finished(id);
    expect(calls).toMatchObject([
      { status: 'failed', attempts: 1, error: expect.stringContaining('The user gave the server guarded no answer') },
      { status: 'completed', attempts: 2 },
    ]);
  });

  test('run at once; one without an answer has an unknown outcome and is not repeated (R111, R175)', async () => {
    vigil.model.script([
      {
        toolCalls: [
          { id: 'a', name: 'everything__trigger_long_running_operation', arguments: { duration: 600, steps: null } },
          { id: 'b', name: 'everything__get_tiny_image', arguments: {} },
        ],
      },
      { text: 'So be it.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('connected', 'Go');
    const { calls } = await ada.finished(id);
    expect(calls).toMatchObject([
      { status: 'unknown', attempts: 1 },
      { status: 'completed', result: { files: [{ type: 'file', mediaType: 'image/png', sources: ['system'] }] } },
    ]);
    expect(resultsIn(vigil)[0]).toContain('The MCP server everything did not answer within 5 seconds.');
  });
});

test('one function serves them all; it may read no row, and RunIsolated invokes it (R148, R175)', () => {
  const may = rights(JSON.parse(readFileSync(join(assembly, 'Vigil.template.json'), 'utf8')));
  expect(may.Everything!.filter((right) => !/^(logs|xray):/.test(right))).toEqual([]);
  expect(Object.keys(may).filter((id) => id.startsWith('Everything'))).toEqual(['Everything']);
  expect(may.RunIsolated).toContain('lambda:InvokeFunction on Everything.Arn');
});
