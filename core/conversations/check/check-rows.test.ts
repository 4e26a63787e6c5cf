import * as z from 'zod';
import { askingIn, deployment, order, pay } from '../../../test/support/stories/asking';
import { testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { rowsOf } from '../../../test/support/tables/table-rows';
import { runTool } from '../../machines/loop/run-tool';
import { type Agent, type AgentSpec, defineAgent } from '../agent/agent';
import type { DeploymentLimits } from '../agent/limits';
import { registry } from '../agent/registry';
import type { FunctionTool } from '../agent/tool';
import { approve } from '../conversation/approve';
import { key } from '../rows/keys';
import { metaRow } from '../rows/meta';
import { emptyMeta } from '../runs/conversation';
import { nextRun } from '../runs/run';
import { type Row, rowCheck } from './check-rows';
import type { Finding } from './finding';

// What stored rows mean to the code that is to be deployed.

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const createdAt = now.toISOString();
const later = '2027-06-01T08:00:00.000Z';
const asking = askingIn(table, now);

const spec = { name: 'tester', purpose: 'p', instructions: 'i', model: 'm' };
const all = [...deployment.agents.get('tester')!.tools];
const agentWith = (tools: AgentSpec['tools'], more: Partial<AgentSpec> = {}) =>
  defineAgent({ ...spec, tools, ...more });
const code = (agents: Agent[] = [agentWith(all)], limits: DeploymentLimits = {}) => ({
  ...registry(agents),
  limits,
  modules: [],
});
const without = (...names: string[]) => code([agentWith(all.filter(({ name }) => !names.includes(name)))]);
const number = z.number().describe('n');
const string = z.string().describe('s');
const replacing = (tool: FunctionTool) => code([agentWith([...all.filter(({ name }) => name !== tool.name), tool])]);

const said = (found: Finding[]) =>
  found.map(({ verdict, kind, field, happens }) => `${verdict} ${kind} ${field}: ${happens}`);
function checked(rows: object[], against = code()): Finding[] {
  const check = rowCheck(against, now);
  return rows.flatMap((row) => check(row as Row) ?? []);
}
const ofConversation = async (id: string): Promise<object[]> =>
  (await rowsOf(table)).filter(({ pk }) => pk === key.conversation(id));

test('rows of conversations that wait and are done have no finding by the same code (R231)', async () => {
  await asking(['pay', { cents: 5 }]);
  await asking(['order'], ['ask']);
  const rows = await rowsOf(table);
  expect(rows.length).toBeGreaterThan(8);
  expect(checked(rows)).toEqual([]);
});

describe('a call that waits', () => {
  test.each<[what: string, call: [string, object?], against: ReturnType<typeof code>, string[]]>([
    [
      'for an approval, of a tool that is gone',
      ['pay', { cents: 5 }],
      without('pay'),
      ['breaks call tool: nobody can approve the call, only deny it: there is no tool "pay"'],
    ],
    [
      'for a delivery, of a tool that is gone',
      ['order'],
      without('order'),
      ['breaks call tool: a delivery is taken unchecked, and nothing undoes the call: there is no tool "order"'],
    ],
    [
      'with arguments that lack a field that is required now',
      ['pay', { cents: 5 }],
      replacing({ ...pay, input: z.object({ cents: number, currency: string }) } as FunctionTool),
      [
        'breaks call arguments: nobody can approve the call, only deny it: pay refuses the stored arguments, which lack `currency`',
      ],
    ],
    [
      'with an argument that the tool takes no longer',
      ['pay', { cents: 5 }],
      replacing({ ...pay, input: z.object({ cents: number.min(10).describe('n') }) } as FunctionTool),
      ['breaks call arguments: nobody can approve the call, only deny it: pay refuses the stored argument `cents`'],
    ],
    [
      'with arguments that get a default, which nobody has seen',
      ['pay', { cents: 5 }],
      replacing({
        ...pay,
        input: z.object({ cents: number, currency: string.default('USD').describe('s') }),
      } as FunctionTool),
      ['breaks call arguments: nobody can approve the call, only deny it: pay reads the stored arguments otherwise'],
    ],
    ['for the user’s answer, of a tool that is gone', ['ask'], without('ask'), []],
    [
      'for a delivery, with arguments that are not read again',
      ['order'],
      replacing({ ...order, input: z.object({ title: string }) } as FunctionTool),
      [],
    ],
  ])('%s (R231)', async (_, call, against, expected) => {
    const { id, callId, at } = await asking(call);
    // As the state machine has gone on to it.
    if (call[0] === 'order')
      await runTool({ table, now: () => now, webhookUrl: async () => 'https://x.example' }, order, {
        ...at,
        conversationId: id,
        callId,
      });
    const found = checked(await ofConversation(id), against);
    expect(said(found)).toEqual(expected);
    for (const one of found) expect(one).toMatchObject({ conversationId: id, id: callId, todo: expect.any(String) });
  });

  test('is made as approved, or a person is asked again (R231)', async () => {
    const { id, who } = await asking(['pay', { cents: 5 }]);
    await approve(table, deployment, who, { approved: true }, now);
    const rows = await ofConversation(id);
    expect(said(checked(rows, without('pay')))).toEqual([
      'breaks call tool: the call fails, which the model is told: there is no tool "pay"',
    ]);
    const input = z.object({ cents: number, currency: string.default('USD').describe('s') });
    expect(said(checked(rows, replacing({ ...pay, input } as FunctionTool)))).toEqual([
      'changes call arguments: a person is asked again: pay reads the stored arguments otherwise',
    ]);
  });
});

describe('a run', () => {
  const clerk = defineAgent({ ...spec, name: 'clerk', tools: [] });

  test('whose agent is gone fails, and a conversation at rest takes no message (R231)', async () => {
    const { id, at } = await asking(['ask']);
    const rows = await ofConversation(id);
    const [found] = checked(rows, code([clerk]));
    expect(found).toMatchObject({ verdict: 'breaks', kind: 'meta', field: 'run.agent', id: at.runId });
    const rest = {
      pk: key.conversation('rest'),
      sk: key.meta,
      ...metaRow(emptyMeta({ id: 'rest', user: 'ada', agent: 'tester', now })),
    };
    expect(said(checked([rest], code([clerk])))).toEqual([
      'breaks meta agent: each message fails: there is no agent "tester"',
    ]);
    expect(said(checked([{ ...rest, entry: 'clerk' }], code([clerk])))).toEqual([
      'breaks meta agent: the next message fails, because there is no agent "tester"; the one after it goes to "clerk"',
    ]);
    // That of a sub-agent, which has answered, and one that is deleted.
    const parent = { conversationId: 'p', callbackId: 'x', depth: 1 };
    expect(
      checked(
        [
          { ...rest, parent },
          { ...rest, ttl: 5 },
          { ...rest, owner: undefined, deletedFor: 'ada' },
        ],
        code([clerk]),
      ),
    ).toEqual([]);
  });

  test.each<[string, Partial<AgentSpec>, DeploymentLimits, object, string[]]>([
    ['within its limits', { limits: { tokens: 31 } }, {}, {}, []],
    [
      'with more tokens than its agent allows',
      { limits: { tokens: 30 } },
      {},
      {},
      [
        'breaks meta run.usage: the run ends as limited at its next step: budget exhausted: 30 of 30 tokens of this run are used',
      ],
    ],
    [
      'older than its agent allows',
      { limits: { seconds: 60 } },
      {},
      { startedAt: '2027-03-01T07:00:00.000Z' },
      [
        'breaks meta run.usage: the run ends as limited at its next step: budget exhausted: 3600 of 60 seconds of this run are used',
      ],
    ],
    ['at its limit of steps, as it may be by the same code', { limits: { steps: 4 } }, {}, {}, []],
    [
      'with more steps than the new limit',
      { limits: { steps: 3 } },
      {},
      {},
      ['breaks meta run.step: the run ends as limited at its next step: it has made 4 steps, and the limit is 3'],
    ],
    [
      'with more steps than the new limit, which a message begins again',
      { limits: { steps: 3 } },
      {},
      { lastRead: { seq: 0, step: 0 } },
      [],
    ],
  ])('%s (R231)', (_, more, limits, ofRun, expected) => {
    const meta = { ...nextRun(emptyMeta({ id: 'l', user: 'ada', agent: 'tester', now }), now), lastUserSeq: 1 };
    const usage = { ...meta.run!.usage, inputTokens: 20, outputTokens: 10 };
    const run = { ...meta.run!, usage, step: 4, lastRead: { seq: 1, step: 0 }, ...ofRun };
    const row = { pk: key.conversation('l'), sk: key.meta, ...metaRow({ ...meta, run }) };
    expect(said(checked([row], code([agentWith(all, more)], limits)))).toEqual(expected);
  });

  test('that can be cancelled cannot undo what a tool did that is gone, or that refuses the arguments (R231)', async () => {
    const undoable = testTool('pay', { input: pay.input, effect: 'idempotent', compensate: async () => undefined });
    const { id, callId, who, at } = await asking(['pay', { cents: 5 }], ['ask']);
    await approve(table, deployment, who, { approved: true }, now);
    await runTool({ table, now: () => now }, pay, { ...at, conversationId: id, callId });
    const rows = await ofConversation(id);
    expect(said(checked(rows, without('pay')))).toEqual([
      'changes meta tool: a rollback of the run cannot undo the call: there is no tool "pay"',
    ]);
    const input = z.object({ cents: number, currency: string });
    expect(said(checked(rows, replacing({ ...undoable, input } as FunctionTool)))).toEqual([
      'changes meta arguments: a rollback of the run cannot undo the call: pay refuses the stored arguments, which lack `currency`',
    ]);
    expect(checked(rows, replacing(undoable))).toEqual([]);
    // Nothing undoes a run that is done.
    const done = rows.map((row) => {
      const { sk, run } = row as { sk: string; run?: object };
      return sk === key.meta ? { ...row, status: 'done', run: { ...run, status: 'done' } } : row;
    });
    expect(checked(done, without('pay'))).toEqual([]);
  });
});

const ids = { id: 'x', version: 1 };
const timer = {
  ...ids,
  pk: key.conversation('c'),
  sk: key.timer('x'),
  kind: 'tool',
  nextAt: later,
  tool: 'pay',
  status: 'active',

  arguments: '{"cents":5}',
  fired: 0,
  conversationId: 'c',
  author: 'schedule',
  user: 'ada',
  segment: 1,
  createdAt,
  segmentStartedAt: createdAt,
  segmentFired: 0,
  sources: [],
};
const message = {
  pk: key.conversation('c'),
  sk: key.message(1),
  seq: 1,
  version: 1,
  role: 'system',
  author: 'timer',
  text: '',
  status: 'pending',
  createdAt,
  scheduled: { tool: 'pay', arguments: '{"cents":5}' },
};
const standing = {
  ...ids,
  pk: key.user('ada'),
  sk: key.standing('x'),
  tool: 'pay',
  agent: 'tester',
  same: '{}',
  mayDiffer: [],
  money: { cents: { perCall: 5, inAll: 5, currency: 'USD' } },
  calls: 3,
  uses: [],
  createdAt,
  expiresAt: later,
  madeFrom: { conversationId: 'c', callbackId: 'k' },
};
const reply = {
  ...ids,
  pk: key.conversation('c'),
  sk: key.callback('x'),
  runId: 'r',
  kind: 'model',
  prompt: '',
  status: 'pending',
  expiresAt: later,
  reply: { provider: 'thinker', id: 'p', maker: 'm', model: 'm', seq: 2 },
};
const usage = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, costMicrodollars: 0 };
const offered = {
  ...pay,
  input: z.object({ cents: z.int().describe('c') }),
  approval: { ...pay.approval!, money: { cents: 'USD' }, standing: {} },
} as FunctionTool;

test.each<[string, object, ReturnType<typeof code>, string[]]>([
  [
    'a timer of a tool that is gone',
    timer,
    without('pay'),
    ['breaks timer tool: the call fails when it is due: there is no tool "pay"'],
  ],
  [
    'a timer with arguments that are refused',
    { ...timer, status: 'paused' },
    replacing({ ...pay, input: z.object({ euros: number }) } as FunctionTool),
    ['breaks timer arguments: the call fails when it is due: pay refuses the stored arguments, which lack `euros`'],
  ],
  ['a timer that is over', { ...timer, status: 'done' }, without('pay'), []],
  [
    'a scheduled call that is due',
    message,
    without('pay'),
    ['breaks message scheduled.tool: the call fails when it is due: there is no tool "pay"'],
  ],
  ['a scheduled call that was made', { ...message, status: 'complete' }, without('pay'), []],
  ['a standing approval', standing, replacing(offered), []],
  [
    'a standing approval of a tool that is gone',
    standing,
    without('pay'),
    ['changes standing tool: it allows no call any more, and a person is asked for each: there is no tool "pay"'],
  ],
  [
    'a standing approval of an agent that is gone',
    { ...standing, agent: 'clerk' },
    replacing(offered),
    ['changes standing agent: it allows no call any more, and a person is asked for each: there is no agent "clerk"'],
  ],
  [
    'a standing approval that the tool offers no longer',
    standing,
    code(),
    [
      'changes standing tool: it allows no call any more, and a person is asked for each: pay offers it no longer in this way',
    ],
  ],
  ['a standing approval that was revoked', { ...standing, revokedAt: createdAt }, without('pay'), []],
  [
    'a reply in the background of a provider that is gone',
    { ...reply, reply: { ...reply.reply, expected: usage } },
    code(),
    [
      'changes callback reply.provider: the reply that is being made is paid and not fetched, and another model is asked: there is no provider "thinker"',
    ],
  ],
  [
    'a row that its schema does not read',
    { ...message, author: 7 },
    code(),
    ['breaks message author: what needs the row stops: this version of Vigil cannot read the field'],
  ],
  [
    'a row of a later format',
    { ...reply, format: 3 },
    code(),
    ['breaks callback format: what needs the row stops: a later version of Vigil has written it, in the format 3'],
  ],
  ['a row of an earlier format', { ...reply, kind: 'question', reply: undefined, mayAnswer: 'ada' }, code(), []],
  ['a row that has expired', { ...standing, tool: 7, ttl: 5 }, code(), []],
])('%s (R231)', (_, row, against, expected) => {
  expect(said(checked([row], against))).toEqual(expected);
});

test('no words of a person are in a finding, whatever a schema says about them (R231)', () => {
  const secret = 'My secret';
  const odd = replacing({
    ...pay,
    input: z.strictObject({
      cents: number.refine(() => false, { error: ({ input }) => `${secret} ${input}` }).describe('c'),
    }),
  } as FunctionTool);
  const throwing = replacing({
    ...pay,
    input: z.object({
      cents: number
        .refine(() => {
          throw new Error(secret);
        })
        .describe('c'),
    }),
  } as FunctionTool);
  const rows = [
    { ...timer, arguments: JSON.stringify({ cents: 5, [secret]: 1 }) },
    { ...timer, arguments: JSON.stringify({ [secret]: 1 }) },
    { ...message, pk: key.user(secret), sk: key.standIn(secret), deciders: secret },
    { pk: key.conversation('c'), sk: key.sent('ada', secret), seq: secret },
  ];
  const found = [odd, throwing].flatMap((against) => checked(rows, against));
  expect(found).toHaveLength(8);
  expect(JSON.stringify(found)).not.toContain(secret);
});

test('a tool’s own rows are its own (R231)', () => {
  const check = rowCheck(code(), now);
  for (const [pk, sk] of [
    ['B#1', 'ACCOUNT'],
    [key.conversation('c'), 'EXPENSE#1'],
    ['shop', 'M#1'],
  ] as const)
    expect(check({ pk, sk, anything: Number.NaN })).toBeUndefined();
});
