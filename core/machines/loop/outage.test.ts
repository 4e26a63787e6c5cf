import { memoryTable, tableThrough } from '../../../test/explore/memory-table';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { currentTime } from '../../../tools/current-time';
import { free } from '../../base/models/price-list';
import type { LoopInput, LoopOutput } from '../../base/state/loop-state';
import {
  ConfigurationError,
  ModelRejected,
  ModelThrottled,
  ModelUnavailable,
  ModelUnreadable,
} from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import type { DeploymentLimits } from '../../conversations/agent/limits';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { cancelRun } from '../../conversations/conversation/cancel';
import { failRun } from '../../conversations/conversation/fail';
import { forkConversation } from '../../conversations/conversation/fork';
import { retryRun } from '../../conversations/conversation/retry';
import { sendMessage } from '../../conversations/conversation/send-message';
import { retryModel } from '../../conversations/conversation/wake';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta, write } from '../../conversations/store/table';
import { generateTitle } from '../../people/finding/generate-title';
import { viewConversation } from '../../people/views/view';
import { advance, type Loop } from './advance';

// Models that do not answer, or not as they should, through the loop that ships: the execution waits as the state Sleep does, and the clock is moved.

const spec = { purpose: 'p', instructions: 'i', tools: [currentTime], contextTokens: 4_000 };
const list = ['first', 'second'];
const agents = [
  defineAgent({ ...spec, name: 'single', model: 'first' }),
  defineAgent({ ...spec, name: 'listed', model: list }),
  defineAgent({ ...spec, name: 'interrupted', model: 'first', onMessage: 'interrupt' }),
  defineAgent({ ...spec, name: 'summed', model: 'own', summaryModel: list }),
  defineAgent({ ...spec, name: 'brief', model: 'first', limits: { seconds: 60 } }),
  defineAgent({ ...spec, name: 'frugal', model: 'first', summaryModel: 'small' }),
];
const known = registry(agents);
const words = (text: string): Reply => ({ text, toolCalls: [] });
const hour = 3_600;
const day = 24 * hour;

// A day takes many writes.
const memory = memoryTable();
const table = tableThrough(async (command) => memory.perform(command, false));
let time: Date;
let serial = 0;
let asked: { model: string; at: number; request: ModelRequest }[] = [];
/** What the models do; one that is absent answers. */
let models: Record<string, (request: ModelRequest) => Reply>;
let random: number;
let limits: DeploymentLimits;
let prices: Record<string, { input: number; output: number }>;
beforeEach(() => {
  time = new Date('2026-03-01T08:00:00.000Z');
  asked = [];
  models = {};
  random = 0;
  limits = {};
  prices = {};
  jest.spyOn(Math, 'random').mockImplementation(() => random);
});
const later = (seconds: number) => new Date(time.getTime() + seconds * 1_000);
const pass = (seconds: number) => {
  time = later(seconds);
};

const down = (notBefore?: () => Date) => () => {
  throw new ModelUnavailable("The model's server failed (503).", { notBefore: notBefore?.() });
};
/** Down until a time. */
const downUntil = (end: Date) => () => (time < end ? down()() : words('Here I am.'));
const noCredit = () => {
  throw new ModelThrottled("The model's account has no credit left.", { isLasting: true });
};
const refusedKey = () => {
  throw new ModelRejected("The model's server refused the key (401).", { isLasting: true });
};

async function started(agent: string, text = 'Hello'): Promise<string> {
  const id = `o${++serial}`;
  await createConversation(table, { id, user: 'ada', agent, text }, time);
  return id;
}
const say = (id: string, text: string) => sendMessage(table, known.agents, id, { user: 'ada', text }, time);
const view = (id: string) => viewConversation(table, id, 'ada');
const textsOf = async (id: string) => (await view(id)).messages.map(({ text }) => text);

const loopNow = (): Loop =>
  scriptedLoop(
    { table, registry: known, now: () => time, limits },
    (request) => {
      const { name } = request.agent.model;
      asked.push({ model: name, at: time.getTime(), request });
      return models[name]?.(request) ?? words('Hello.');
    },
    ({ model: { name } }) => ({ model: name, maker: `maker of ${name}`, price: prices[name] ?? free }),
  );

/** Invokes CallModel in a fresh process. */
const invoke = async (id: string, more: Partial<LoopInput> = {}): Promise<LoopOutput> =>
  advance(loopNow(), { ...segmentOf((await readMeta(table, id))!)!.input, ...more });

/** As the state machine does: waits, and continues in the next segment. */
async function run(id: string, most = 10_000): Promise<LoopOutput> {
  for (let rounds = 0; rounds < most; rounds++) {
    const output = await invoke(id);
    if (output.next === 'wait') time = new Date(Math.max(time.getTime(), Date.parse(output.call!.until!)));
    else if (output.next === 'done') return output;
  }
  throw new Error('It does not end.');
}
/** Until it waits for a model. */
async function waiting(id: string): Promise<LoopOutput> {
  for (;;) {
    const output = await invoke(id);
    if (output.next !== 'again') return output;
  }
}
async function failed(id: string, error: Error): Promise<void> {
  await failRun(table, known, segmentOf((await readMeta(table, id))!)!.input, error.message, time);
}
const pauses = (of: { at: number }[]) => of.slice(1).map(({ at }, index) => (at - of[index]!.at) / 1_000);

describe('a person who does not wait for the next attempt (R255)', () => {
  const retry = async (id: string, nextAt?: string, user = 'ada') => {
    const seen = nextAt ?? (await view(id)).run!.modelWait!.nextAt;
    return retryModel(table, { conversationId: id, user, nextAt: seen }, time);
  };
  /** After so many failures. */
  async function out(agent: string, failures: number): Promise<string> {
    const id = await started(agent);
    for (let nth = 1; nth < failures; nth++) {
      await waiting(id);
      time = new Date((await view(id)).run!.modelWait!.nextAt);
    }
    await waiting(id);
    return id;
  }

  test('makes one more attempt of those in a row, and all models of a list are asked', async () => {
    models = { first: noCredit, second: noCredit };
    const id = await out('listed', 1);
    const before = asked.length;
    await retry(id);
    const { call } = await waiting(id);
    expect(asked.slice(before).map(({ model }) => model)).toEqual(['first', 'second']);
    expect(call!.until).toBe(later(450).toISOString());
    expect(Object.values((await readMeta(table, id))!.run!.outages!)).toMatchObject([{ failures: 2 }, { failures: 2 }]);
  });

  test('changes nothing if the attempt is about to begin, has begun, or is another one; nor in another’s conversation', async () => {
    models.first = down();
    const id = await out('single', 6);
    const { nextAt } = (await view(id)).run!.modelWait!;
    await expect(retry(id, nextAt, 'eve')).rejects.toMatchObject({ name: 'NotFound' });
    expect((await retry(id, later(hour).toISOString())).run!.segment).toBe(1);
    time = new Date(Date.parse(nextAt) - 4_000);
    expect((await retry(id, nextAt)).run!.segment).toBe(1);
    time = new Date(nextAt);
    expect((await retry(id, nextAt)).run!.segment).toBe(1);
    await invoke(id);
    const next = await retry(id);
    expect(next.run!.segment).toBe(2);
    // Twice: the second one finds the attempt in progress.
    expect((await retry(id)).run!.segment).toBe(2);
  });

  test('does not ask sooner than the server allows', async () => {
    random = 1;
    const allowed = later(20 * 60);
    models.first = down(() => allowed);
    const id = await out('single', 1);
    await expect(retry(id)).rejects.toMatchObject({ name: 'WrongState' });
    // Nor if a model that this step does not ask had an outage that is over.
    const { run: stored, version } = (await readMeta(table, id))!;
    const { notBefore: _, ...over } = { ...Object.values(stored!.outages!)[0]!, nextAt: later(-hour).toISOString() };
    const outages = { ...stored!.outages, 'maker of old': over };
    await write(table, id, [{ sk: key.meta, set: { run: { ...stored!, outages } }, onlyIf: { version } }]);
    await expect(retry(id)).rejects.toMatchObject({ name: 'WrongState' });
    expect((await view(id)).run!.segment).toBe(1);
    time = allowed;
    const { nextAt } = (await view(id)).run!.modelWait!;
    if (Date.parse(nextAt) > time.getTime() + 5_000) await retry(id);
    else time = new Date(nextAt);
    models = {};
    await run(id);
    expect(await textsOf(id)).toEqual(['Hello', 'Hello.']);
  });
});

describe('an outage (R202)', () => {
  test.each([0, 1])(
    'of a day is waited out, at growing pauses of at most a quarter of an hour (random %d)',
    async (drawn) => {
      random = drawn;
      const id = await started('single');
      const end = later(day);
      models.first = downUntil(end);
      expect(await run(id)).toMatchObject({ next: 'done' });
      const whole = [2, 4, 8, 16, 32, 64, 128, 256, 512, 900];
      const own = drawn === 1 ? whole : whole.map((seconds) => seconds / 2);
      expect(pauses(asked).slice(0, 12)).toEqual([...own, own.at(-1), own.at(-1)]);
      expect(Math.max(...pauses(asked))).toBe(own.at(-1));
      // It is found soon, and nothing is counted twice.
      expect(asked.at(-1)!.at - end.getTime()).toBeLessThan(own.at(-1)! * 1_000);
      const seen = await view(id);
      expect(seen).toMatchObject({ status: 'done', usage: { modelCalls: 1 }, run: { step: 1 } });
      expect(seen.run).not.toHaveProperty('modelWait');
      expect(seen.messages.map(({ text, status }) => [text, status])).toEqual([
        ['Hello', 'complete'],
        ['Here I am.', 'complete'],
      ]);
      // The history of each execution stays far below its quota.
      expect(seen.run!.segment).toBeGreaterThan(1);
    },
  );

  test('is shown while it lasts: since when, why, and when the next attempt is', async () => {
    const id = await started('single');
    models.first = down();
    const since = time.toISOString();
    const reason = "The model's server failed (503).";
    for (const seconds of [1, 2, 4]) {
      await invoke(id);
      const nextAt = later(seconds).toISOString();
      expect((await view(id)).run).toMatchObject({
        status: 'running',
        modelWait: { model: 'first', since, reason, nextAt },
      });
      expect((await view(id)).messages.at(-1)!.failedAttempts!.at(-1)).toMatchObject({
        error: reason,
        retryBy: nextAt,
      });
      pass(seconds);
    }
    models = {};
    await run(id);
    expect((await view(id)).run).not.toHaveProperty('modelWait');
  });

  test('an interruption does not either: the next segment waits for the same time, and says so', async () => {
    const id = await started('interrupted');
    models.first = down(() => later(20 * 60));
    const { call } = await invoke(id);
    await say(id, 'Stop, something else.');
    expect(await invoke(id)).toMatchObject({ segment: 2, next: 'wait', call });
    expect((await view(id)).run!.modelWait).toMatchObject({ nextAt: call!.until });
    expect(asked).toHaveLength(1);
  });

  test('a stop ends the wait, and the next run of the conversation keeps to it', async () => {
    const id = await started('single');
    models.first = down(() => later(20 * 60));
    const { call } = await invoke(id);
    await cancelRun(table, known.tools, { conversationId: id, user: 'ada' }, time);
    expect((await view(id)).run).not.toHaveProperty('modelWait');
    await say(id, 'Now?');
    pass(60);
    expect(await invoke(id)).toMatchObject({ next: 'wait', call: { until: call!.until } });
    expect((await view(id)).run).toMatchObject({ status: 'running', modelWait: { nextAt: call!.until } });
  });

  test('of more than three days fails the run, with what was said and since when; a retry begins anew', async () => {
    random = 1;
    const id = await started('single');
    models.first = down();
    const error = await run(id).catch((thrown: Error) => thrown as Error & { name: string });
    expect(error).toMatchObject({
      name: 'ModelRejected',
      message: expect.stringMatching(
        /^The model's server failed \(503\)\. It has failed since 2026-03-01T08:00:00\.000Z, \d{3} times in a row\.$/,
      ),
    });
    expect(time.getTime() - Date.parse('2026-03-01T08:00:00Z')).toBeGreaterThan(2.9 * day * 1_000);
    await failed(id, error as Error);
    expect((await view(id)).reason).toMatch(/It has failed since/);
    pass(hour);
    await retryRun(table, id, 'ada', time);
    const before = asked.length;
    await invoke(id);
    expect((await view(id)).run).toMatchObject({ status: 'running', modelWait: { since: time.toISOString() } });
    expect(asked.length).toBe(before + 1);
    models = {};
    expect(await run(id)).toMatchObject({ next: 'done' });
  });

  test('a reply that cannot be read, or that runs out of time, may be paid: it is asked for three times, not for days', async () => {
    const id = await started('single');
    models.first = () => {
      throw new ModelUnreadable('The answer is no reply.');
    };
    await expect(run(id)).rejects.toMatchObject({
      name: 'ModelRejected',
      message: 'The answer is no reply. It has failed since 2026-03-01T08:00:00.000Z, 3 times in a row.',
    });
    expect(asked).toHaveLength(3);
  });

  test('what is refused for good fails at once, as it was said', async () => {
    for (const error of [
      new ModelRejected("The model's server refused the key (401).", { isLasting: true }),
      new ModelRejected('The model refused the content.'),
      Object.assign(new ConfigurationError('There is no key.'), { isLasting: true }),
    ]) {
      models.first = () => {
        throw error;
      };
      await expect(run(await started('single'))).rejects.toBe(error);
    }
    expect(asked).toHaveLength(3);
  });
});

describe('the next model (R203)', () => {
  const modelsAsked = () => asked.map(({ model }) => model);
  const first = "The model's server failed (503).";

  test('answers after three failures in a row, and the step says why; a day later the first is asked again', async () => {
    const id = await started('listed');
    const since = time.toISOString();
    models.first = down();
    expect(await run(id)).toMatchObject({ next: 'done' });
    expect(modelsAsked()).toEqual(['first', 'first', 'first', 'second']);
    const insteadOf = [{ model: 'first', since, reason: first }];
    expect((await view(id)).messages.at(-1)).toMatchObject({ status: 'complete', model: 'second', insteadOf });
    expect((await view(id)).run).not.toHaveProperty('modelWait');
    models = {};
    pass(day);
    await say(id, 'And now?');
    await run(id);
    expect((await view(id)).messages.at(-1)).toMatchObject({ model: 'first' });
    expect((await view(id)).messages.at(-1)).not.toHaveProperty('insteadOf');
  });

  test.each<[string, () => never]>([
    ['no credit', noCredit],
    ['a refused key', refusedKey],
    [
      'no key',
      () => {
        throw Object.assign(new ConfigurationError('There is no key.'), { isLasting: true });
      },
    ],
    ['a pause of more than a minute', () => down(() => later(61))() as never],
  ])('answers at once after %s', async (_what, fails) => {
    const id = await started('listed');
    models.first = fails;
    await run(id);
    expect(modelsAsked()).toEqual(['first', 'second']);
    expect((await view(id)).status).toBe('done');
  });

  test.each(['The model refused the content.', 'Bad request (400).'])(
    'is not asked if the request is the reason: %s',
    async (message) => {
      const error = new ModelRejected(message);
      models.first = () => {
        throw error;
      };
      await expect(run(await started('listed'))).rejects.toBe(error);
      expect(modelsAsked()).toEqual(['first']);
    },
  );

  test('if one refuses the key and the other is down, the run waits; if both refuse, it fails and names both', async () => {
    const id = await started('listed');
    models = { first: refusedKey, second: down() };
    expect(await waiting(id)).toMatchObject({ next: 'wait' });
    models.second = refusedKey;
    const error = await run(id).catch((thrown: Error) => thrown);
    const refused = "The model's server refused the key (401).";
    expect(error).toMatchObject({
      name: 'ModelRejected',
      message: `No model answers. first: ${refused} second: ${refused}`,
    });
    // What only a person could repair is asked at once by a retry.
    await failed(id, error as Error);
    models = {};
    const before = asked.length;
    await retryRun(table, id, 'ada', time);
    await run(id);
    expect(modelsAsked().slice(before)).toEqual(['first']);
  });

  test('also makes the summary, without the agent’s own model', async () => {
    const id = await started('summed', 'x'.repeat(8_000));
    models.first = noCredit;
    for (let turn = 0; turn < 3; turn++) {
      await run(id);
      await say(id, 'x'.repeat(8_000));
    }
    const summary = (await view(id)).messages.find(({ covers }) => covers !== undefined);
    expect(summary).toMatchObject({ model: 'second', insteadOf: [{ model: 'first' }] });
    expect(modelsAsked().filter((name) => name === 'first')).toHaveLength(1);
  });

  test('gives the title, and a model that is out is not asked for it', async () => {
    const id = await started('listed');
    models.first = noCredit;
    await run(id);
    await generateTitle(loopNow(), id);
    expect(modelsAsked()).toEqual(['first', 'second', 'second']);
  });

  test('a fork with another model has only that one', async () => {
    const id = await started('listed');
    await run(id);
    const fork = `${id}f`;
    const request = { from: id, id: fork, user: 'ada', step: 1, text: 'Otherwise?', model: 'other' };
    await forkConversation(table, request, time);
    models.other = down();
    expect(await waiting(fork)).toMatchObject({ next: 'wait' });
    expect(modelsAsked()).toEqual(['first', 'other']);
  });
});

describe('a server that asks for a pause (R198)', () => {
  const refuse = (seconds: number) => () => {
    throw new ModelThrottled("The model's server is busy (429).", { notBefore: later(seconds) });
  };

  test('is not asked sooner: the execution waits, whatever invokes the function meanwhile', async () => {
    const id = await started('single');
    models.first = refuse(20);
    const until = later(20).toISOString();
    expect(await invoke(id)).toMatchObject({ next: 'wait', call: { until } });
    const seen = await view(id);
    expect(seen.messages.at(-1)!.failedAttempts).toMatchObject([{ attempt: 1, retryBy: until }]);

    models = {};
    time = later(19.9);
    expect(await invoke(id)).toMatchObject({ next: 'wait', call: { until } });
    expect(asked).toHaveLength(1);
    time = new Date(until);
    expect(await invoke(id)).toMatchObject({ next: 'done' });
    expect((await readMeta(table, id))!.run).not.toHaveProperty('outages');
  });

  test('a pause beyond the time of the run ends it, and says so', async () => {
    const id = await started('brief');
    models.first = refuse(61);
    expect(await invoke(id)).toMatchObject({ next: 'done' });
    const { status, reason } = await view(id);
    expect([status, reason]).toEqual([
      'limited',
      `The model's server is busy (429). The model first is asked again at ${later(61).toISOString()}, and this run may take 60 seconds. Retry it then.`,
    ]);
  });
});

describe('a conversation that is too long for its model (R198)', () => {
  const lengthOf = ({ items }: ModelRequest) => items.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  const isSummary = ({ agent }: ModelRequest) => agent.tools.length === 0;
  const rejected = () => asked.filter(({ request }) => lengthOf(request) > most).length;
  /** In characters. The agent declares more. */
  let most = 2_500;
  const says: [string, (length: number) => { most?: number; needed?: number }][] = [
    ['its limit and the need', (length) => ({ most: Math.floor(most / 4), needed: Math.floor(length / 4) })],
    ['its limit', () => ({ most: Math.floor(most / 4) })],
    ['nothing', () => ({})],
  ];
  const limited = (tooLong: (length: number) => object) => (request: ModelRequest) => {
    const length = lengthOf(request);
    if (length > most) throw new ModelRejected('The conversation has grown too long.', { tooLong: tooLong(length) });
    return words(isSummary(request) ? 'They said much.' : 'I see.');
  };

  test.each(says)(
    'goes on with a summary, and knows the window from then on, if the server says %s',
    async (_, tell) => {
      most = 2_500;
      models.first = limited(tell);
      const id = await started('single', 'x'.repeat(400));
      for (let message = 0; message < 12; message++) {
        expect(await run(id)).toMatchObject({ next: 'done' });
        await say(id, 'x'.repeat(400));
      }
      // The first one teaches the window.
      expect(rejected()).toBe(1);
      expect(asked.some(({ request }) => isSummary(request))).toBe(true);
      const { messages } = await view(id);
      expect(messages.filter(({ status }) => status === 'error')).toEqual([]);
    },
  );

  test('a summary is made of less, if that was too long for its own model', async () => {
    const id = await started('frugal', 'x'.repeat(3_000));
    models.small = (request) => {
      if (lengthOf(request) > 5_000) throw new ModelRejected('Too long.', { tooLong: {} });
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
    models.first = limited(() => ({ most: 600 }));
    const id = await started('single', 'x'.repeat(9_000));
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
  const id = await started('single');
  models.first = () => reply;
  expect(await run(id)).toMatchObject({ next: 'done' });
  expect(asked).toHaveLength(3);
  const seen = await view(id);
  expect(seen).toMatchObject({ status: 'limited', reason: expect.stringMatching(reason) });
  models = {};
  await say(id, 'Hello?');
  expect(await run(id)).toMatchObject({ next: 'done' });
  expect((await view(id)).status).toBe('done');
});

describe('what is cut off (R136)', () => {
  const half: Reply = { text: 'Half.', toolCalls: [], cutOff: 'length' };

  test('makes none of its calls; three in a row end the run, and its retry begins anew', async () => {
    const id = await started('single');
    models.first = () => ({ ...half, toolCalls: [{ id: 'c', name: 'current_time', arguments: '{}' }] });
    expect(await run(id)).toMatchObject({ next: 'done' });
    expect(asked).toHaveLength(3);
    const { status, reason, calls, messages } = await view(id);
    expect([status, reason]).toEqual(['limited', expect.stringContaining('three times in a row')]);
    expect(calls).toMatchObject(Array(3).fill({ status: 'failed', error: expect.stringContaining('cut off') }));
    expect(messages[1]).toMatchObject({ text: 'Half.', status: 'complete', cutOff: 'length' });
    const whole = [half, words('Whole.')];
    models.first = () => whole.shift()!;
    await retryRun(table, id, 'ada', time);
    expect(await run(id)).toMatchObject({ next: 'done' });
    expect((await view(id)).status).toBe('done');
    expect(JSON.stringify(asked.at(-1)!.request.items.slice(-2))).toMatch(/Half\..*Continue where/);
  });

  test('is no summary: a shorter one is asked for, and after three the run ends', async () => {
    const isSummary = ({ agent }: ModelRequest) => agent.tools.length === 0;
    const shorter = () =>
      asked.flatMap(({ request }) =>
        isSummary(request) ? [request.agent.instructions.includes('Make this one much shorter')] : [],
      );
    const summaries = [half, words('They said much.')];
    models.first = (request) => (isSummary(request) ? (summaries.shift() ?? half) : words('I see.'));
    const id = await started('single', 'x'.repeat(3_000));
    while ((await run(id)) && (await view(id)).status === 'done') await say(id, 'x'.repeat(3_000));
    const { status, reason, messages } = await view(id);
    expect([status, reason]).toEqual(['limited', expect.stringContaining('cut off')]);
    expect(shorter()).toEqual([false, true, false, true, true]);
    expect(messages.filter(({ covers }) => covers !== undefined)).toHaveLength(1);
    expect(messages.filter(({ cutOff }) => cutOff === 'length')).toHaveLength(4);
  });
});
