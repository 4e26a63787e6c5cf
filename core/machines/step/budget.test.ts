import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { overtaken } from '../../../test/support/tables/mortal-table';
import { look } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { listPrices, type Price } from '../../base/models/models';
import { free, priceOf } from '../../base/models/price-list';
import type { LoopInput } from '../../base/state/loop-state';
import { noUsage, type Usage } from '../../base/state/schemas';
import { ModelThrottled } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import type { DeploymentLimits } from '../../conversations/agent/limits';
import { exhausted } from '../../conversations/agent/limits';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { cancelRun } from '../../conversations/conversation/cancel';
import type { Meta, StoredRun } from '../../conversations/rows/meta';
import { createConversation } from '../../conversations/runs/conversation';
import { readSpending } from '../../conversations/runs/spending';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, type Table } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { advance } from '../loop/advance';

// The budget of a user is reserved before each model call, and counted once whatever becomes of the process.

const base = { purpose: 'p', instructions: 'i', model: 'm' };
const tester = defineAgent({ ...base, name: 'tester', tools: [look] });
const worker = defineAgent({ ...base, name: 'worker', tools: [] });
const boss = defineAgent({ ...base, name: 'boss', tools: [], delegates: ['worker'] });
const agents = registry([tester, worker, boss]);

const usage = { ...noUsage, modelCalls: 1, inputTokens: 80, outputTokens: 20, costMicrodollars: 7 };
type Said = (asked: ModelRequest) => Promise<Reply & { usage?: Usage }>;

let time: Date;
let user: string;
let serial = 0;
const dead: { bury(): void; gone: Promise<unknown> }[] = [];
// Before the table stops.
afterAll(async () => {
  for (const { bury, gone } of dead) {
    bury();
    await gone;
  }
});
const table = tableOfTests();
beforeEach(() => {
  time = new Date('2026-03-01T08:00:00Z');
  user = `user${++serial}`;
});

async function given(agent = 'tester') {
  const id = `b${++serial}`;
  const { meta } = await createConversation(table, { id, user, agent, text: 'Hello' }, time);
  return segmentOf(meta)!.input as LoopInput;
}

/** Invokes CallModel in a fresh process. */
function invoke(input: LoopInput, said: Said, limits: DeploymentLimits, price: Price = free, of: Table = table) {
  const loop = scriptedLoop(
    { table: of, limits, registry: agents, now: () => time },
    async (asked) => ({ usage, ...(await said(asked)) }),
    () => ({ model: 'scripted', maker: 'scripted', price }),
  );
  return advance(loop, input);
}

/** Invokes CallModel in a process that dies during the model call. */
async function dies(input: LoopInput, limits: DeploymentLimits): Promise<void> {
  await new Promise<void>((called) => {
    let bury = () => {};
    const said: Said = () => {
      called();
      return new Promise((_resolve, reject) => {
        bury = () => reject(new ModelThrottled('Dead.'));
      });
    };
    const gone = invoke(input, said, limits).catch(() => undefined);
    dead.push({ bury: () => bury(), gone });
  });
}

const hi: Said = async () => ({ text: 'Hi.', toolCalls: [] });
const spent = async () => (await readSpending(table, user, time)).day;
const statusOf = async ({ conversationId }: LoopInput) => (await readMeta(table, conversationId))!.run!.status;
const many = { month: { steps: 100 } };

test('thirty runs at once make as many steps as their user has left, and no more (R149)', async () => {
  const inputs = await Promise.all(Array.from({ length: 30 }, () => given()));
  let calls = 0;
  const said: Said = async () => {
    calls += 1;
    return { text: 'Hi.', toolCalls: [] };
  };
  await Promise.all(inputs.map((input) => invoke(input, said, { month: { steps: 5 } })));
  expect(calls).toBe(5);
  const ends = await Promise.all(inputs.map(statusOf));
  expect([ends.filter((end) => end === 'done').length, ends.filter((end) => end === 'limited').length]).toEqual([
    5, 25,
  ]);
  expect(await spent()).toEqual({ steps: 5, tokens: 500, costMicrodollars: 35 });
});

test('tokens and money are reserved by an estimate, which the commit replaces (R149)', async () => {
  const input = await given();
  let during = await spent();
  const said: Said = async () => {
    during = await spent();
    return { text: 'Hi.', toolCalls: [] };
  };
  await invoke(input, said, many, { input: 1, output: 10 });
  expect(during.steps).toBe(1);
  expect(during.tokens).toBeGreaterThan(1_000);
  expect(during.tokens).toBeLessThan(2_000);
  expect(during.costMicrodollars).toBeGreaterThan(10_000);
  expect(await spent()).toEqual({ steps: 1, tokens: 100, costMicrodollars: 7 });
});

test('what the cache read and saved is added up for the month, and a loss is taken off (R200)', async () => {
  const cached = async () => (await readSpending(table, user, time)).cached;
  const said = (savedMicrodollars: number, cachedInputTokens: number): Said => {
    const of = { ...usage, cachedInputTokens, savedMicrodollars };
    return async () => ({ text: 'Hi.', toolCalls: [], usage: of });
  };
  await invoke(await given(), said(-20, 0), many);
  expect(await cached()).toEqual({ inputTokens: 0, savedMicrodollars: -20 });
  await invoke(await given(), said(70, 60), many);
  await invoke(await given(), hi, many);
  expect(await cached()).toEqual({ inputTokens: 60, savedMicrodollars: 50 });
});

test('calls of models without a price are counted for the month, each once (R254)', async () => {
  const unpriced = async () => (await readSpending(table, user, time)).unpricedCalls;
  const said: Said = async () => ({ text: 'Hi.', toolCalls: [], usage: { ...usage, unpricedCalls: 1 } });
  const input = await given();
  await invoke(input, said, many);
  await invoke(input, said, many);
  expect(await unpriced()).toBe(1);
  await invoke(await given(), hi, many);
  expect(await unpriced()).toBe(1);
});

test('a step whose process dies stays counted by its estimate when its user cancels it (R149)', async () => {
  const input = await given();
  await dies(input, many);
  await cancelRun(table, new Map(), { conversationId: input.conversationId, user }, time);
  const { steps, tokens } = await spent();
  expect(steps).toBe(1);
  expect(tokens).toBeGreaterThan(1_000);
  expect(tokens).toBeLessThan(2_500);
});

test('a call that the rest of the budget cannot pay is not made; the reason says what it needs (R149)', async () => {
  const input = await given();
  const limits = { day: { tokens: 900 } };
  expect(await invoke(input, hi, limits)).toMatchObject({ next: 'done' });
  expect((await readMeta(table, input.conversationId))!.run).toMatchObject({
    status: 'limited',
    reason: expect.stringMatching(
      /^budget exhausted: 0 of 900 tokens of this user today are used\. The next model call may use 1\d\d\d more\. Wait until tomorrow \(UTC\) or raise VIGIL_MAX_USER_DAY_TOKENS, and retry\.$/,
    ),
  });
  expect(await spent()).toEqual({ steps: 0, tokens: 0, costMicrodollars: 0 });
});

test('a process that dies between reservation and call loses nothing: the next attempt uses the reservation (R149)', async () => {
  const input = await given();
  const limits = { month: { steps: 1 } };
  await dies(input, limits);
  expect(await spent()).toMatchObject({ steps: 1 });
  expect(await invoke(input, hi, limits)).toMatchObject({ next: 'done' });
  expect(await statusOf(input)).toBe('done');
  expect(await spent()).toEqual({ steps: 1, tokens: 100, costMicrodollars: 7 });

  const other = await given();
  await invoke(other, hi, limits);
  expect(await statusOf(other)).toBe('limited');
});

test('on another day, an attempt reserves of that day’s budget; what may have been made stays counted on its own', async () => {
  const input = await given();
  await dies(input, many);
  time = new Date('2026-03-02T08:00:00Z');
  await invoke(input, hi, many);
  const { day, month } = await readSpending(table, user, time);
  expect(day).toEqual({ steps: 1, tokens: 100, costMicrodollars: 7 });
  expect(month.steps).toBe(2);
});

test('a call that the provider refuses costs nothing; one that fails within its reply costs what was said (R149)', async () => {
  const input = await given();
  const throttled: Said = async () => {
    throw new ModelThrottled('Too many.');
  };
  expect(await invoke(input, throttled, many)).toMatchObject({ next: 'wait' });
  time = new Date(time.getTime() + 5_000);
  expect(await spent()).toEqual({ steps: 0, tokens: 0, costMicrodollars: 0 });
  const broken: Said = async ({ onText }) => {
    onText('Half of what I have to say');
    throw new ModelThrottled('Too many.');
  };
  expect(await invoke(input, broken, many)).toMatchObject({ next: 'wait' });
  time = new Date(time.getTime() + 5_000);
  const { tokens } = await spent();
  expect(tokens).toBeGreaterThan(0);
  expect(tokens).toBeLessThan(1_000);
  await invoke(input, hi, many);
  expect(await spent()).toEqual({ steps: 2, tokens: tokens + 100, costMicrodollars: 7 });
});

test('a reply that is cut off replaces its reservation by what was said (R112, R149)', async () => {
  const input = await given();
  const said: Said = async ({ signal, onText }) => {
    onText('Half of what I have to say');
    const cut = new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    await cancelRun(table, new Map(), { conversationId: input.conversationId, user }, time);
    await cut;
    return { text: 'Never.', toolCalls: [] };
  };
  await expect(invoke(input, said, many)).rejects.toMatchObject({ name: 'Superseded' });
  const { steps, tokens } = await spent();
  expect(steps).toBe(1);
  expect(tokens).toBeGreaterThan(0);
  expect(tokens).toBeLessThan(1_000);
});

test('a reply that came whole when its run had been cancelled is counted by what it has used (R112, R149)', async () => {
  const input = await given();
  const said: Said = async () => {
    await cancelRun(table, new Map(), { conversationId: input.conversationId, user }, time);
    return { text: 'Whole.', toolCalls: [] };
  };
  expect(await invoke(input, said, many)).toMatchObject({ next: 'done' });
  expect(await spent()).toEqual({ steps: 1, tokens: 100, costMicrodollars: 7 });
});

test('an attempt that another one replaces before it asks the model asks nothing (R29, R149)', async () => {
  const input = await given();
  // The log is read by queries. The step has begun by then.
  const late = overtaken(
    table,
    ({ constructor: { name } }) => name === 'QueryCommand',
    () => dies(input, many),
  );
  const said: Said = async () => {
    throw new Error('It asks the model.');
  };
  await expect(invoke(input, said, many, undefined, late)).rejects.toMatchObject({ name: 'Superseded' });
  expect(await spent()).toMatchObject({ steps: 1 });
});

test('an attempt that another one replaces counts on top of the step, by what was said (R149)', async () => {
  const input = await given();
  const first = invoke(
    input,
    async ({ signal, onText }) => {
      onText('Half of what I have to say');
      await invoke(input, hi, many);
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return { text: 'Never.', toolCalls: [] };
    },
    many,
  );
  await expect(first).rejects.toMatchObject({ name: 'Superseded' });
  const { steps, tokens } = await spent();
  expect(steps).toBe(1);
  expect(tokens).toBeGreaterThan(100);
  expect(tokens).toBeLessThan(1_100);
});

test('a model without a price counts at the dearest known one, in each limit of cost, and the reason says so (R275)', async () => {
  const dearest = priceOf('unknown', {});
  const most = Object.values(listPrices).map(({ output }) => output);
  expect(dearest).toEqual({ input: expect.any(Number), output: Math.max(...most), isGuess: true });
  expect([
    priceOf('unknown', {}, 'http://127.0.0.1:11434/v1'),
    priceOf('own', { own: { input: 1, output: 2 } }),
  ]).toEqual([free, { input: 1, output: 2 }]);
  const begun = await given();
  await invoke(begun, hi, { day: { costMicrodollars: 100_000_000 } }, dearest);
  expect(await statusOf(begun)).toBe('done');
  const refused = await given();
  await invoke(refused, hi, { day: { costMicrodollars: 100 } }, dearest);
  expect((await readMeta(table, refused.conversationId))!.run!.reason).toMatch(/^budget exhausted: .* this user today/);
  const run = { startedAt: time.toISOString(), usage: { ...usage, costMicrodollars: 9, unpricedCalls: 1 } };
  expect(exhausted(run as StoredRun, tester, { costMicrodollars: 5 }, time)).toBe(
    'budget exhausted: 9 of 5 microdollars of this run are used. A model without a price counts at the dearest known one: set its price in VIGIL_PRICES. Raise the limit and retry.',
  );
});

describe('of the sub-agents that a reply asks for', () => {
  const four: Said = async () => ({
    text: '',
    toolCalls: [0, 1, 2, 3].map((index) => ({
      id: `d${index}`,
      name: 'delegate',
      arguments: JSON.stringify({ agent: 'worker', task: `Task ${index}` }),
    })),
  });
  const errorsAfter = async (input: LoopInput, limits: DeploymentLimits) => {
    await invoke(input, four, limits);
    const { calls } = await viewConversation(table, input.conversationId, user);
    return calls.map(({ error }) => error ?? '');
  };
  const ofRun = (before: number) =>
    `Not done: A run may ask for at most 3 sub-agents, and this one had asked for ${before} before. Do the task yourself.`;

  test('those begin that the limits of the run and of its user allow, and the model reads why the others did not (R149)', async () => {
    const ofUser = 'Not done: You have 0 of 2 active sub-agents. Wait until one has ended. Or do the task yourself.';
    const errors = await errorsAfter(await given('boss'), { subAgentsOfRun: 3, counts: { subAgents: 2 } });
    expect(errors).toEqual(['', '', ofUser, ofRun(0)]);
  });

  test('those that the run asked for before count (R149)', async () => {
    const input = await given('boss');
    const asked = {
      TableName: table.name,
      Key: { pk: `C#${input.conversationId}`, sk: 'META' },
      UpdateExpression: 'SET #run.delegations = :two',
      ExpressionAttributeNames: { '#run': 'run' },
      ExpressionAttributeValues: { ':two': 2 },
    };
    await table.client.send(new UpdateCommand(asked));
    expect(await errorsAfter(input, { subAgentsOfRun: 3 })).toEqual(['', ofRun(2), ofRun(2), ofRun(2)]);
  });
});

describe('of a conversation that its owner shares (R269)', () => {
  const day = { day: { steps: 4 }, sharedPercent: 50 };
  async function shared(agent?: string) {
    const input = await given(agent);
    await changeConversation<void>(table, input.conversationId, (meta) => ({
      meta: { ...meta, members: { 'user:ben': { role: 'member' } } as Meta['members'] },
      answer: undefined,
    }));
    return input;
  }

  test('runs stop at half of the owner’s day, whoever has used it; the rest is for what is the owner’s alone', async () => {
    for (const input of [await shared(), await shared()]) {
      await invoke(input, hi, day);
      expect(await statusOf(input)).toBe('done');
    }
    const third = await shared();
    await invoke(third, hi, day);
    expect((await readMeta(table, third.conversationId))!.run).toMatchObject({
      status: 'limited',
      reason:
        'budget exhausted: 2 of 2 steps of this user today that are for shared conversations are used. Wait until tomorrow (UTC) or raise VIGIL_SHARED_PERCENT, and retry.',
    });
    for (const end of ['done', 'done', 'limited']) {
      const own = await given();
      await invoke(own, hi, day);
      expect(await statusOf(own)).toBe(end);
    }
  });

  test('twenty of its runs at once pass half of the day by no step', async () => {
    const inputs = await Promise.all(Array.from({ length: 20 }, () => shared()));
    await Promise.all(inputs.map((input) => invoke(input, hi, day)));
    expect((await spent()).steps).toBe(2);
  });

  test('a sub-agent stops there, too', async () => {
    const input = await shared('boss');
    const delegates = { id: 'd', name: 'delegate', arguments: JSON.stringify({ agent: 'worker', task: 'Work' }) };
    await invoke(input, async () => ({ text: '', toolCalls: [delegates] }), day);
    await invoke(await shared(), hi, day);
    const { callbacks } = await viewConversation(table, input.conversationId, user);
    const child = await readMeta(table, callbacks[0]!.conversationId!);
    const work = segmentOf(child!)!.input as LoopInput;
    await invoke(work, hi, day);
    expect(await statusOf(work)).toBe('limited');
  });

  test('with 100 percent, they may use all of it', async () => {
    for (let step = 0; step < 4; step++) await invoke(await shared(), hi, { ...day, sharedPercent: 100 });
    expect((await spent()).steps).toBe(4);
  });
});
