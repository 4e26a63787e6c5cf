import { setTimeout as sleep } from 'node:timers/promises';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import { longTest } from './support/long';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';

// An agent gives tasks to another one, in conversations of their own, and waits for the answers by task token.

const farAway = '2031-01-01T08:00:00Z';
const isWorker = ({ messages }: ChatRequest) => String(messages[0]!.content) === 'You are the worker.';
const taskOf = ({ messages }: ChatRequest) => String(messages.find(({ role }) => role === 'user')!.content);
const results = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool');
const delegate = (...tasks: string[]): Reply => ({
  toolCalls: tasks.map((task, index) => ({ id: `d${index}`, name: 'delegate', arguments: { agent: 'worker', task } })),
});

describe('a sub-agent (R74, R122)', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    party = await startThirdParty();
    vigil = await startVigil();
  });
  afterEach(async () => {
    await vigil?.stop();
    await party.stop();
  });
  const childrenOf = async (id: string) => {
    const ada = await vigil.user();
    const { conversations } = await ada.list();
    return Promise.all(conversations.filter(({ parentId }) => parentId === id).map((child) => ada.read(child.id)));
  };

  test('does a task in a conversation of its own; the answer is the call’s result, and each message names its author', async () => {
    vigil.model.script((request) => {
      if (isWorker(request)) return { text: `Done: ${taskOf(request)}` };
      return results(request).length > 0 ? { text: 'He says it is done.' } : delegate('Count the sheep');
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Have the sheep counted');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([
      { tool: 'delegate', status: 'completed', result: { agent: 'worker', said: 'Done: Count the sheep' } },
    ]);
    expect(done.callbacks).toMatchObject([{ kind: 'agent', status: 'answered', prompt: 'Count the sheep' }]);
    const [child] = await childrenOf(id);
    expect(child!.id).toBe(done.callbacks[0]!.conversationId);
    expect(wordsOf(child!)).toEqual([
      ['user', 'Count the sheep'],
      ['worker', 'Done: Count the sheep'],
    ]);
    expect(child!.messages[0]!.author).toBe('boss');
    expect(await vigil.states(done.run!.id)).toEqual(stepsTo('AwaitCallback', 'Done'));
    // Its words are the deleted conversation's, too (R259).
    expect(await ada.request('DELETE', `/conversations/${id}`)).toMatchObject({ status: 204 });
    while ((await ada.list()).conversations.some((left) => left.id === child!.id)) await sleep(100);
    expect(await ada.request('GET', `/conversations/${child!.id}`)).toMatchObject({ status: 404 });
  });

  test('several work at once, and their answers return in call order', async () => {
    let slow = true;
    vigil.model.script((request) => {
      if (!isWorker(request))
        return results(request).length > 0 ? { text: 'All three.' } : delegate('one', 'two', 'three');
      const delayMs = taskOf(request) === 'one' && slow ? 1_000 : 0;
      slow &&= delayMs === 0;
      return { text: `Done: ${taskOf(request)}`, delayMs };
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Three things');
    const done = await ada.finished(id);
    expect(done.calls.map(({ result }) => result)).toEqual(
      ['one', 'two', 'three'].map((task) => ({ agent: 'worker', said: `Done: ${task}` })),
    );
    expect(results(vigil.model.requests.at(-1)!).map(({ content }) => String(content))).toEqual([
      expect.stringContaining('one'),
      expect.stringContaining('two'),
      expect.stringContaining('three'),
    ]);
  });

  longTest('may ask the user itself, and outlives kill -9 of everything', async () => {
    vigil.model.script((request) => {
      if (!isWorker(request)) return results(request).length > 0 ? { text: 'Thanks.' } : delegate('Find out');
      return results(request).length > 0
        ? { text: 'It is blue.' }
        : call('q', 'ask_user', { question: 'Which colour?' });
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Find it out');
    await ada.waiting(id);
    const child = (await childrenOf(id))[0]!.id;
    await ada.waiting(child);
    await vigil.kill();
    await vigil.restart();
    await (await vigil.user()).say(child, 'Blue');
    const done = await (await vigil.user()).finished(id);
    expect(done.calls).toMatchObject([{ result: { said: 'It is blue.' } }]);
  });

  longTest('that fails is told to the one who asked', async () => {
    vigil.model.script((request) => {
      if (isWorker(request)) return { status: 401 };
      return results(request).length > 0 ? { text: 'A pity.' } : delegate('Fail');
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Try');
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'done');
    expect((await ada.read(id)).calls).toMatchObject([
      { status: 'failed', error: expect.stringContaining('The run of the agent "worker" ended with status failed.') },
    ]);
  });

  longTest('is cancelled and rolled back with the one who asked (R87, R88)', async () => {
    vigil.model.script((request) => {
      if (!isWorker(request)) return delegate('Pay');
      if (results(request).length > 0) return call('s', 'schedule', { at: farAway });
      return call('p', 'pay', { url: party.url, cents: 700 });
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Have it paid');
    await ada.waiting(id);
    await ada.until(id, () => party.effects === 1);
    const child = (await childrenOf(id))[0]!.id;
    await ada.asleep(child);
    await ada.cancel(id);
    await ada.until(id, ({ status }) => status === 'cancelled');
    const over = await ada.until(child, ({ status }) => status === 'cancelled');
    expect(over.calls[0]).toMatchObject({ status: 'undone' });
    expect(party.effectPaths).toEqual(['/pay/700', '/refund/700']);
  });

  longTest('that was done long ago is rolled back too, in its turn (R88)', async () => {
    vigil.model.script((request) => {
      const paid = results(request).length > 0;
      if (isWorker(request)) return paid ? { text: 'Paid.' } : call('p', 'pay', { url: party.url, cents: 700 });
      const step = results(request).length;
      if (step === 0) return delegate('Pay');
      return step === 1 ? call('o', 'pay', { url: party.url, cents: 100 }) : call('s', 'schedule', { at: farAway });
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Have it paid');
    await ada.asleep(id);
    await ada.cancel(id);
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'cancelled');
    expect((await ada.read(id)).calls.map(({ status }) => status)).toEqual(['undone', 'undone', 'cancelled']);
    expect(party.effectPaths).toEqual(['/pay/700', '/pay/100', '/refund/100', '/refund/700']);
  });

  longTest('works no deeper than agents may delegate', async () => {
    vigil.model.script((request) => {
      const agent = isWorker(request) ? 'boss' : 'worker';
      const failed = results(request).some(({ content }) => String(content).includes('at most 2 levels'));
      if (failed) return { text: 'Then I do it myself.' };
      if (results(request).length > 0) return { text: 'Done.' };
      return call('d', 'delegate', { agent, task: 'Deeper' });
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Dig');
    expect((await ada.finished(id)).status).toBe('done');
    expect((await ada.list()).conversations).toHaveLength(3);
  });
});
