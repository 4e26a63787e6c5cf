import { tableOfTests } from '../../../test/support/tables/table';
import { currentTime } from '../../../tools/current-time';
import type { LoopInput, LoopOutput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { ModelRejected, ModelThrottled } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import type { Model, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { cancelRun } from '../../conversations/conversation/cancel';
import { failRun } from '../../conversations/conversation/fail';
import { sendMessage } from '../../conversations/conversation/send-message';
import { createConversation } from '../../conversations/runs/conversation';
import { LogReader } from '../../conversations/runs/log';
import { segmentOf } from '../../conversations/runs/run';
import { readMeta } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { advance, type Loop } from './advance';

type Asked = Parameters<Model['reply']>[0];
const spec = { purpose: 'p', instructions: 'i', model: 'm', tools: [currentTime], contextTokens: 4_000 };
const agents = [
  defineAgent({ ...spec, name: 'tester' }),
  defineAgent({ ...spec, name: 'brief', limits: { seconds: 60 } }),
  defineAgent({ ...spec, name: 'frugal', summaryModel: 'small' }),
];
const known = registry(agents);
const words = (text: string): Reply => ({ text, toolCalls: [] });

const table = tableOfTests();
let time: Date;
let serial = 0;
let asked: Asked[] = [];
/** Answers the model's requests. */
let answering: (request: Asked) => Reply;
beforeEach(() => {
  time = new Date('2026-03-01T08:00:00Z');
  asked = [];
  answering = () => words('Hello.');
  // The shortest pauses.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
const later = (seconds: number) => new Date(time.getTime() + seconds * 1_000);

async function started(agent = 'tester', text = 'Hello'): Promise<string> {
  const id = `w${++serial}`;
  await createConversation(table, { id, user: 'ada', agent, text }, time);
  return id;
}
const say = (id: string, text: string) => sendMessage(table, known.agents, id, { user: 'ada', text }, time);

/** Invokes CallModel in a fresh process. */
async function invoke(id: string, more: Partial<LoopInput> = {}): Promise<LoopOutput> {
  const loop: Loop = {
    ...{ table, registry: known, logs: new LogReader(table), now: () => time, limits: {} },
    deadline: new AbortController().signal,
    model: {
      reply: async (request) => {
        asked.push(request);
        return { ...answering(request), usage: { ...noUsage, modelCalls: 1 } };
      },
      about: ({ model: { name } }) => ({ model: name, maker: name }),
    },
  };
  return advance(loop, { ...segmentOf((await readMeta(table, id))!)!.input, ...more });
}
/** As the state machine does while nothing fails. */
async function run(id: string): Promise<LoopOutput> {
  for (;;) {
    const output = await invoke(id);
    if (output.next !== 'again') return output;
  }
}

describe('a server that asks for a pause (R198)', () => {
  const refuse = (seconds: number) => () => {
    throw new ModelThrottled("The model's server is busy (429).", { notBefore: later(seconds) });
  };

  test('is not asked sooner: the execution waits, whatever invokes the function meanwhile', async () => {
    const id = await started();
    answering = refuse(20);
    const until = later(20).toISOString();
    expect(await invoke(id)).toMatchObject({ next: 'wait', call: { until } });
    const seen = await viewConversation(table, id, 'ada');
    expect(seen.messages.at(-1)!.failedAttempts).toMatchObject([{ attempt: 1, retryBy: until }]);

    answering = () => words('Hello.');
    time = later(19.9);
    expect(await invoke(id)).toMatchObject({ next: 'wait', call: { until } });
    expect(asked).toHaveLength(1);
    time = new Date(until);
    expect(await invoke(id)).toMatchObject({ next: 'done' });
    expect((await readMeta(table, id))!.run).not.toHaveProperty('outages');
  });

  test('nor by the next run of the conversation', async () => {
    const id = await started();
    answering = refuse(20);
    const { call } = await invoke(id);
    await cancelRun(table, known.tools, { conversationId: id, user: 'ada' }, time);
    await say(id, 'Are you there?');
    expect(await invoke(id)).toMatchObject({ next: 'wait', call: { until: call!.until } });
    expect(asked).toHaveLength(1);
  });

  test('a pause beyond the time of the run ends it, and says so', async () => {
    const id = await started('brief');
    answering = refuse(61);
    expect(await invoke(id)).toMatchObject({ next: 'done' });
    const { status, reason } = await viewConversation(table, id, 'ada');
    expect([status, reason]).toEqual([
      'limited',
      `The model's server is busy (429). The model m is asked again at ${later(61).toISOString()}, and this run may take 60 seconds. Retry it then.`,
    ]);
  });

  test('a pause of more than three days fails the run, with what the server said and since when', async () => {
    const id = await started();
    answering = refuse(3 * 86_400 + 1);
    await expect(invoke(id)).rejects.toMatchObject({
      name: 'ModelRejected',
      message: "The model's server is busy (429). It has failed since 2026-03-01T08:00:00.000Z.",
    });
  });
});

describe('a conversation that is too long for its model (R198)', () => {
  const lengthOf = ({ items }: Asked) => items.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  const isSummary = ({ agent }: Asked) => agent.tools.length === 0;
  const rejected = () => asked.filter((request) => lengthOf(request) > most).length;
  /** In characters. The agent declares more. */
  let most = 2_500;
  const says: [string, (length: number) => { most?: number; needed?: number }][] = [
    ['its limit and the need', (length) => ({ most: Math.floor(most / 4), needed: Math.floor(length / 4) })],
    ['its limit', () => ({ most: Math.floor(most / 4) })],
    ['nothing', () => ({})],
  ];
  const limited = (tooLong: (length: number) => object) => (request: Asked) => {
    const length = lengthOf(request);
    if (length > most) throw new ModelRejected('The conversation has grown too long.', { tooLong: tooLong(length) });
    return words(isSummary(request) ? 'They said much.' : 'I see.');
  };

  test.each(says)(
    'goes on with a summary, and knows the window from then on, if the server says %s',
    async (_, tell) => {
      most = 2_500;
      answering = limited(tell);
      const id = await started('tester', 'x'.repeat(400));
      for (let message = 0; message < 12; message++) {
        expect(await run(id)).toMatchObject({ next: 'done' });
        await say(id, 'x'.repeat(400));
      }
      // The first one teaches the window.
      expect(rejected()).toBe(1);
      expect(asked.some(isSummary)).toBe(true);
      const { messages } = await viewConversation(table, id, 'ada');
      expect(messages.filter(({ status }) => status === 'error')).toEqual([]);
    },
  );

  test('a summary is made of less, if that was too long for its own model', async () => {
    const id = await started('frugal', 'x'.repeat(3_000));
    answering = (request) => {
      if (request.agent.model.name === 'small' && lengthOf(request) > 5_000)
        throw new ModelRejected('Too long.', { tooLong: {} });
      return words('I see.');
    };
    for (let message = 0; message < 5; message++) {
      expect(await run(id)).toMatchObject({ next: 'done' });
      await say(id, 'x'.repeat(3_000));
    }
    expect((await readMeta(table, id))!.windows).toEqual({ small: expect.any(Number) });
  });

  test('one message that is too long fails the run with the reason, and a shorter one after it does not', async () => {
    most = 2_500;
    answering = limited(() => ({ most: 600 }));
    const id = await started('tester', 'x'.repeat(9_000));
    const at = segmentOf((await readMeta(table, id))!)!.input;
    await expect(run(id)).rejects.toMatchObject({ name: 'ModelRejected', message: expect.stringMatching(/too long/) });
    expect(rejected()).toBe(1);
    await failRun(table, known, at, 'Too long.', time);
    await say(id, 'Shorter.');
    expect(await run(id)).toMatchObject({ next: 'done' });
  });
});

test.each<[string, Reply, RegExp]>([
  ['empty', words(' '), /^The model's reply was empty three times in a row\./],
  [
    'unreadable',
    { text: '', toolCalls: [{ id: 'c', name: 'current_time', arguments: '{"a":' }] },
    /^The arguments of the model's calls could not be read three times in a row\./,
  ],
])('replies that stay %s end the run after three, with the reason (R198)', async (_kind, reply, reason) => {
  const id = await started();
  answering = () => reply;
  expect(await run(id)).toMatchObject({ next: 'done' });
  expect(asked).toHaveLength(3);
  const seen = await viewConversation(table, id, 'ada');
  expect(seen).toMatchObject({ status: 'limited', reason: expect.stringMatching(reason) });
  answering = () => words('Here I am.');
  await say(id, 'Hello?');
  expect(await run(id)).toMatchObject({ next: 'done' });
  expect((await viewConversation(table, id, 'ada')).status).toBe('done');
});
