import { isDeepStrictEqual } from 'node:util';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { stopAfterEach } from './support/stop-after-each';
import { nudgeToEnd } from './support/stories/patience';
import { call, wordsOf } from './support/stories/transcript';

// What is kept of conversations and runs: whose it is, what it says, and that looking at it changes nothing.

const stopped = stopAfterEach();

/** The row's time in the moved clock: an hour from now. */
const inAnHour = async (vigil: Vigil) => new Date((await vigil.now()).getTime() + 3_600_000).toISOString();
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('records', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());

  test("each step's status and stored output, and the run's, are there while it goes on: at work, asleep, failed, and done after a retry (R34, R66)", async () => {
    const at = await inAnHour(vigil);
    const [time, sleep] = [call('c1', 'current_time', {}), call('c2', 'schedule', { at })];
    vigil.model.script([time, { text: 'One moment. Good night.', ...sleep, holdAfter: 16 }, { status: 404 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Sleep an hour');

    await vigil.model.held();
    const atWork = await ada.until(id, ({ messages }) => messages.at(-1)!.text !== '');
    const running = atWork.run!;
    expect(running).toMatchObject({ status: 'running', agent: 'tester', segment: 1, step: 1 });
    expect([running.reason, running.until]).toEqual([undefined, undefined]);
    expect(atWork.calls).toMatchObject([{ step: 1, tool: 'current_time', status: 'completed', attempts: 1 }]);
    expect(atWork.calls[0]!.result).toEqual({ now: isoTime, weekday: expect.stringMatching(/day$/) });
    expect(atWork.messages.map(({ step, status, text }) => [step, status, text.trim()])).toEqual([
      [undefined, 'complete', 'Sleep an hour'],
      [1, 'complete', ''],
      [2, 'streaming', 'One moment.'],
    ]);

    vigil.model.release();
    const asleep = await ada.asleep(id);
    expect(asleep.run).toMatchObject({ id: running.id, status: 'sleeping', step: 2, until: at });
    expect(asleep.calls).toMatchObject([atWork.calls[0], { step: 2, tool: 'schedule', status: 'waiting', until: at }]);
    expect(asleep.messages.at(-1)).toMatchObject({ status: 'complete', text: 'One moment. Good night.' });

    await vigil.advance('PT2H');
    const failed = await nudgeToEnd(vigil, id);
    const reason = 'The model\'s server does not know the model "test-model" (404).';
    expect(failed.run).toMatchObject({ id: running.id, status: 'failed', step: 2, reason, usage: { modelCalls: 2 } });
    expect(failed.run!.until).toBeUndefined();
    expect(failed.calls).toMatchObject([atWork.calls[0], { status: 'completed', result: expect.stringContaining(at) }]);

    vigil.model.script([{ text: 'Good morning.' }]);
    expect((await ada.request('POST', `/conversations/${id}/retry`)).status).toBe(202);
    const done = (await ada.until(id, ({ status }) => status === 'done')).run!;
    expect(done).toMatchObject({ id: running.id, status: 'done', step: 3, usage: { modelCalls: 3, toolCalls: 2 } });
    expect([done.reason, done.until]).toEqual([undefined, undefined]);
  });

  test('a message says whose it is, what it is, what it says, how far it is and when it was (R63)', async () => {
    vigil.model.script([{ empty: true }, call('c', 'reminder', { message: 'Tea' }), { text: 'Reminded.' }]);
    const [ada, eve] = await Promise.all([vigil.user('ada'), vigil.user('eve')]);
    const before = (await vigil.now()).toISOString();
    const { id } = await ada.start('reminder', 'Tea!');
    const { messages, run } = await ada.finished(id);
    const after = (await vigil.now()).toISOString();
    const record = { version: expect.any(Number), status: 'complete', createdAt: isoTime };
    const ofRun = { ...record, runId: run!.id };
    const usage = expect.objectContaining({ modelCalls: 1 });
    const answered = { model: expect.any(String), agentVersion: expect.any(String), usage };
    const step = { ...ofRun, attempt: 1, completedAt: isoTime, ...answered };
    expect(messages).toEqual([
      { ...record, seq: 1, role: 'user', author: expect.any(String), text: 'Tea!', readBySeq: 2 },
      { ...step, seq: 2, role: 'assistant', author: 'reminder', text: '', step: 1 },
      {
        ...ofRun,
        seq: 3,
        role: 'system',
        author: 'vigil',
        text: expect.stringMatching(/^Your last reply/),
        step: 1,
        readBySeq: 4,
      },
      { ...step, seq: 4, role: 'assistant', author: 'reminder', text: '', step: 2 },
      { ...ofRun, seq: 5, role: 'assistant', author: 'reminder', text: '⏰ Tea', step: 2, callId: expect.any(String) },
      { ...step, seq: 6, role: 'assistant', author: 'reminder', text: 'Reminded.', step: 3 },
    ]);
    for (const { createdAt } of messages) expect(createdAt >= before && createdAt <= after).toBe(true);
    for (const { seq } of messages)
      expect((await rowsOf(vigil, id)).get(`M#${String(seq).padStart(10, '0')}`)).toBeDefined();

    vigil.model.script(() => ({ text: 'Hello.' }));
    const hers = await eve.finished((await eve.start('reminder', 'Hi')).id);
    const said = await ada.say(id, 'Thanks', 'client-1');
    expect(said).toMatchObject({
      role: 'user',
      author: messages[0]!.author,
      clientMessageId: 'client-1',
      status: 'pending',
    });
    expect(hers.messages[0]!.author).not.toBe(messages[0]!.author);
    await ada.finished(id);
  });

  test('a run at work, and one that waits for a person, say so; reading them again and again changes nothing (R62, R66, R57)', async () => {
    vigil.model.script([
      { text: 'Sea or mountains?' },
      { text: 'Let me. See here.', holdAfter: 12 },
      ...[1, 2].map(() => ({ text: 'So.' })),
    ]);
    const [ada, eve] = await Promise.all([vigil.user('ada'), vigil.user('eve')]);
    const { id: asking } = await ada.start('planner', 'Plan my holiday');
    const waiting = await ada.waiting(asking);
    expect(waiting.run).toMatchObject({ status: 'waiting', step: 1 });
    expect(waiting.callbacks).toMatchObject([{ status: 'pending', kind: 'question', prompt: 'Sea or mountains?' }]);
    const { id: atWork } = await ada.start('tester', 'Go');
    await vigil.model.held();
    await ada.until(atWork, ({ messages }) => messages[1]!.text !== '');
    for (const id of [asking, atWork]) await unchanged(id, ada, eve);
    vigil.model.release();
    const { run } = await ada.finished(atWork);
    expect(run).toMatchObject({ status: 'done' });
  });

  async function unchanged(id: string, ada: User, eve: User): Promise<void> {
    const before = await quiet(vigil, id);
    const first = await ada.read(id);

    const paths = [`/conversations/${id}`, `/conversations/${id}?after=1`, '/conversations', '/openapi.json'];
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(paths.map((path) => ada.request('GET', path)));
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
      expect(answers[0]!.body).toEqual(first);
      expect((await eve.request('GET', paths[0]!)).status).toBe(404);
    }
    expect(await snapshot(vigil, id)).toEqual(before);
    // The control: what does change something shows in the snapshot.
    await ada.say(id, 'Well?');
    expect(await snapshot(vigil, id)).not.toEqual(before);
  }
});

/** Every row of a conversation as it is in the table, with its version, by its key. */
async function rowsOf({ table }: Vigil, id: string): Promise<Map<string, unknown>> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `C#${id}` },
      ConsistentRead: true,
    }),
  );
  return new Map(Items.map((row) => [String(row.sk), row]));
}

/** All that is kept of a conversation: its rows and the histories of its executions. */
async function snapshot(vigil: Vigil, id: string) {
  const rows = await rowsOf(vigil, id);
  const { run } = rows.get('META') as { run: { id: string } };
  return { rows, history: await vigil.history(run.id) };
}

/** The snapshot once what was under way has come to rest, such as the token that is stored for a question. */
async function quiet(vigil: Vigil, id: string) {
  for (let last = await snapshot(vigil, id); ; ) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = await snapshot(vigil, id);
    if (isDeepStrictEqual(now, last)) return now;
    last = now;
  }
}

test('two conversations of one user never meet, not even after a kill -9: a process that has seen neither goes on with both (R19, R58)', async () => {
  const vigil = stopped(await startVigil());
  const textOf = ({ messages }: ChatRequest) => JSON.stringify(messages);
  const at = await inAnHour(vigil);
  vigil.model.script((request) => {
    const [own, other] = textOf(request).includes('apricot') ? ['apricot', 'walnut'] : ['walnut', 'apricot'];
    if (textOf(request).includes(other)) return { text: 'MIXED UP' };
    const woken = request.messages.some(({ role }) => role === 'tool');
    if (woken) return { text: `It is time for ${own}.` };
    return { text: `Later, ${own}.`, ...call(`c_${own}`, 'schedule', { at }) };
  });
  const fruits = ['apricot', 'walnut'] as const;
  const ada = await vigil.user();
  const started = await Promise.all(fruits.map((fruit) => ada.start('reminder', `Think of ${fruit}`)));
  const asleep = await Promise.all(started.map(({ id }) => ada.asleep(id)));
  const before = vigil.pid;
  await vigil.kill();
  await vigil.restart();
  expect(vigil.pid).not.toBe(before);
  const again = await vigil.user();
  expect(await Promise.all(started.map(({ id }) => again.read(id)))).toEqual(asleep);

  await vigil.advance('PT2H');
  const done = await Promise.all(started.map(({ id }) => again.finished(id)));
  expect(done.map(({ run }) => run!.id)).toEqual(asleep.map(({ run }) => run!.id));
  expect(done.map((one) => wordsOf(one).map(([, text]) => text))).toEqual(
    fruits.map((fruit) => [`Think of ${fruit}`, `Later, ${fruit}.`, `It is time for ${fruit}.`]),
  );
  // And once more in the process that has by now seen both.
  await Promise.all(started.map(({ id }, index) => again.say(id, `More about the ${fruits[index]}`)));
  await Promise.all(
    started.map(({ id }) => again.until(id, ({ status, messages }) => status === 'done' && messages.length >= 5)),
  );
  expect(vigil.model.calls).toBe(6);
  for (const request of vigil.model.requests)
    expect(fruits.filter((fruit) => textOf(request).includes(fruit))).toHaveLength(1);
});
