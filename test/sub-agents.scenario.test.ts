import { startVigil, type Vigil } from './support/clouds/vigil';
import { stepsTo } from './support/history';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, wordsOf } from './support/stories/transcript';

// An agent gives tasks to another one, in conversations of their own, and waits for the answers by task token.

const isWorker = ({ messages }: ChatRequest) => String(messages[0]!.content) === 'You are the worker.';
const taskOf = ({ messages }: ChatRequest) => String(messages.find(({ role }) => role === 'user')!.content);
const results = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool');
const delegate = (...tasks: string[]): Reply => ({
  toolCalls: tasks.map((task, index) => ({ id: `d${index}`, name: 'delegate', arguments: { agent: 'worker', task } })),
});

describe('a sub-agent (R74, R122)', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeAll(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([vigil?.stop(), party?.stop()]));
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
    while ((await ada.list()).conversations.some((left) => left.id === child!.id))
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await ada.request('GET', `/conversations/${child!.id}`)).toMatchObject({ status: 404 });
  });

  test('works beside others, may ask the user, fail, and delegate no deeper than is allowed; results are in call order', async () => {
    vigil.model.script((request) => {
      const answered = results(request);
      const task = taskOf(request);
      if (task === 'Ask')
        return answered.length ? { text: 'It is blue.' } : call('q', 'ask_user', { question: 'Which?' });
      if (task === 'Fail') return { status: 401 };
      if (answered.length > 0) return { text: `I heard: ${answered.map(({ content }) => content).join()}` };
      if (task === 'Begin') return delegate('Ask', 'Fail', 'Dig');
      return call('d', 'delegate', { agent: isWorker(request) ? 'boss' : 'worker', task: 'Dig' });
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Begin');
    const asking = await ada.until(id, ({ callbacks }) => callbacks.length === 3);
    const [asked] = asking.callbacks.filter(({ prompt }) => prompt === 'Ask');
    await ada.waiting(asked!.conversationId!);
    // What was asked first is answered last.
    await vigil.advanceUntil(
      async () => (await ada.read(id)).calls.filter(({ status }) => status === 'waiting').length === 1,
    );
    await ada.say(asked!.conversationId!, 'Blue');
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([
      { result: { said: 'It is blue.' } },
      {
        status: 'failed',
        error: expect.stringContaining('The run of the agent "worker" ended with status failed.'),
      },
      { result: { said: expect.stringContaining('at most 2 levels') } },
    ]);
    const told = results(vigil.model.requests.at(-1)!).map(({ content }) => String(content));
    expect(told).toEqual([
      expect.stringContaining('blue'),
      expect.stringContaining('status failed'),
      expect.stringContaining('at most 2 levels'),
    ]);
  });

  test('is cancelled and rolled back with the one who asked, in its turn, also if it was done long ago (R87, R88)', async () => {
    const asleep = call('s', 'schedule', { at: '2031-01-01T08:00:00Z' });
    const pay = (cents: number) => call('p', 'pay', { url: party.url, cents });
    vigil.model.script((request) => {
      const step = results(request).length;
      if (!isWorker(request)) return [delegate('Pay'), pay(100), delegate('Pay more')][step]!;
      if (step === 0) return pay(taskOf(request) === 'Pay' ? 700 : 800);
      return taskOf(request) === 'Pay' ? { text: 'Paid.' } : asleep;
    });
    const ada = await vigil.user();
    const { id } = await ada.start('boss', 'Have it paid');
    const waiting = await ada.until(id, ({ callbacks }) => callbacks.length === 2);
    const child = waiting.callbacks.find(({ status }) => status === 'pending')!.conversationId!;
    await ada.asleep(child);
    await ada.cancel(id);
    await vigil.advanceUntil(async () => (await ada.read(id)).status === 'cancelled');
    expect(await ada.read(child)).toMatchObject({ status: 'cancelled', calls: [{ status: 'undone' }, {}] });
    expect((await ada.read(id)).calls.slice(0, 2).map(({ status }) => status)).toEqual(['undone', 'undone']);
    // One that is still at work is rolled back by itself, beside the others.
    const [atWork, others] = [/800/, /[17]00/].map((of) => party.effectPaths.filter((path) => of.test(path)));
    expect(atWork).toEqual(['/pay/800', '/refund/800']);
    expect(others).toEqual(['/pay/700', '/pay/100', '/refund/100', '/refund/700']);
  });
});
