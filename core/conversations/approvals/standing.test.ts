import * as z from 'zod';
import { dyingEverywhere } from '../../../test/support/tables/mortal-table';
import { stepsIn, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { StandingLimits } from '../../base/state/schemas';
import { TellModel } from '../../base/text/errors';
import { runTool } from '../../machines/loop/run-tool';
import { defineAgent } from '../agent/agent';
import { registry } from '../agent/registry';
import type { Approval } from '../agent/tool';
import { callIdOf, readCall } from '../calls/call';
import { readCallback } from '../calls/callback';
import { approve } from '../conversation/approve';
import { cancelRun } from '../conversation/cancel';
import { deleteConversation } from '../conversation/delete';
import { decide } from '../decisions/decide';
import { nothingRead } from '../decisions/provenance';
import type { Table } from '../store/table';
import { readStandings, revokeStanding } from './standing';
import { listStanding, reportStanding } from './standing-report';

// What a user allows for later, within limits that hold whatever runs beside it.

const input = z.object({
  to: z.string().describe('t'),
  cents: z.int().describe('c'),
  purpose: z.string().describe('p'),
});
const approval: Approval<typeof input> = {
  when: ({ cents }) => cents > 100,
  prompt: 'Pay?',
  money: { cents: 'USD' },
  standing: { mayDiffer: ['purpose'], mostCalls: 5, mostDays: 10 },
};
const pay = testTool('pay', {
  input,
  effect: 'idempotent',
  approval,
  async execute({ purpose }) {
    if (purpose === 'refused') throw new TellModel('The bank says no.');
    return 'paid';
  },
});
const agent = (name: string, more = {}) =>
  defineAgent({ name, purpose: 'p', instructions: 'i', model: 'm', tools: [pay], ...more });
const [payer, other] = [agent('payer'), agent('other')];
const deployment = registry([payer, other]);
const start = new Date('2026-03-01T08:00:00Z');
const later = (days: number) => new Date(start.getTime() + days * 86_400_000);
const limits: StandingLimits = { calls: 3, days: 10, money: { cents: { perCall: 500, inAll: 1_000 } } };

describe('a standing approval', () => {
  const table = tableOfTests();
  let user = '';
  let serial = 0;
  beforeEach(() => {
    user = `ada${++serial}`;
  });
  const args = (more: object = {}) => ({ to: 'bob', cents: 500, purpose: 'rent', ...more });

  /** Makes a conversation of the user whose agent makes calls. */
  async function called(all: object[], { now = start, of = payer, on = table as Table } = {}) {
    const steps = stepsIn(on, now, of, user);
    const { id, at } = await steps.given();
    const toolCalls = all.map((one, index) => ({ id: `c${index}`, name: 'pay', arguments: JSON.stringify(one) }));
    await steps.commit(at, await steps.begin(at), { text: '', toolCalls });
    const ids = all.map((_, index) => callIdOf(at.runId, 1, index));
    const calls = async () => Promise.all(ids.map(async (callId) => (await readCall(table, id, callId))!));
    return { id, at, ids, calls, statuses: async () => (await calls()).map(({ status }) => status) };
  }
  type Called = Awaited<ReturnType<typeof called>>;
  const press = ({ id, ids }: Called, standing?: StandingLimits, now = start, on: Table = table) =>
    approve(
      on,
      deployment,
      { conversationId: id, callbackId: ids[0]!, user, groups: [], claims: {} },
      { approved: true, standing },
      now,
    );
  const made = async (given = limits) => {
    const asked = await called([args()]);
    await press(asked, given);
    return (await readStandings(table, user))[0]!;
  };
  const statusOf = async (more: object, options: Parameters<typeof called>[1] = {}) =>
    (await (await called([args(more)], options)).statuses())[0];

  test.each<[string, object]>([
    ['standing.calls', { calls: 6 }],
    ['standing.days', { days: 11 }],
    ['standing.money.cents', { money: {} }],
    ['standing.money.cents', { money: undefined }],
    ['standing.money.cents.perCall', { money: { cents: { perCall: 499, inAll: 1_000 } } }],
    ['standing.money.cents.inAll', { money: { cents: { perCall: 500, inAll: 499 } } }],
    ['standing.money.purpose', { money: { ...limits.money, purpose: { perCall: 1, inAll: 1 } } }],
  ])('is refused with %s out of bounds, and nothing is decided (R252)', async (path, wrong) => {
    const asked = await called([args()]);
    await expect(press(asked, { ...limits, ...wrong } as StandingLimits)).rejects.toMatchObject({ path });
    expect(await asked.statuses()).toEqual(['waiting']);
    expect(await readStandings(table, user)).toEqual([]);
  });

  test('allows later calls that are the same but for what may differ, and no others (R252)', async () => {
    const { id } = await made();
    const allowed = await called([args({ purpose: 'repair', cents: 200 })]);
    expect(await allowed.calls()).toMatchObject([{ status: 'queued', standing: id, decidedBy: user }]);
    expect(await readCallback(table, allowed.id, allowed.ids[0]!)).toBeUndefined();
    expect(
      await runTool({ table, now: () => start }, pay, { conversationId: allowed.id, callId: allowed.ids[0]! } as never),
    ).toBe('completed');
    for (const wrong of [{ to: 'eve' }, { cents: 501 }]) expect(await statusOf(wrong)).toBe('waiting');
    expect(await statusOf({}, { of: other })).toBe('waiting');
    expect(await statusOf({}, { now: later(10.1) })).toBe('waiting');
    // Another user's agents learn nothing of it.
    const owner = user;
    user = 'eve';
    expect(await statusOf({})).toBe('waiting');
    user = owner;
    expect(await reportStanding(table, user, id)).toMatchObject({
      uses: [{ conversationId: allowed.id, callId: allowed.ids[0], amounts: { cents: 200 }, status: 'completed' }],
    });
  });

  test('counts calls and amounts: what would pass a limit is asked about (R252, R145)', async () => {
    await made({ ...limits, calls: 3 });
    expect(await statusOf({ cents: 400 })).toBe('queued');
    // Of two in one reply that are too much together, the first runs.
    expect(await (await called([args({ cents: 400 }), args({ cents: 400 })])).statuses()).toEqual([
      'queued',
      'waiting',
    ]);
    expect(await statusOf({ cents: 201 })).toBe('waiting');
    expect(await statusOf({ cents: 200 })).toBe('queued');
    expect(await statusOf({ cents: 101 })).toBe('waiting');
  });

  test('is never passed by calls beside each other (R252, R145)', async () => {
    await made({ ...limits, calls: 5 });
    const all = await Promise.all(Array.from({ length: 6 }, () => called([args({ cents: 300 })])));
    const statuses = (await Promise.all(all.map((one) => one.statuses()))).flat();
    expect(statuses.filter((status) => status === 'queued')).toHaveLength(3);
    expect((await readStandings(table, user))[0]!.uses).toHaveLength(3);
  });

  test('has the share of a call again that certainly had no effect, and of no other (R252)', async () => {
    await made({ ...limits, calls: 2 });
    const [refused, cancelled] = [await called([args({ purpose: 'refused' })]), await called([args()])];
    expect(await statusOf({ cents: 101 })).toBe('waiting');
    await runTool({ table, now: () => start }, pay, { conversationId: refused.id, callId: refused.ids[0]! } as never);
    expect(await refused.statuses()).toEqual(['failed']);
    expect(await statusOf({ cents: 101 })).toBe('queued');
    await cancelRun(table, deployment.tools, { conversationId: cancelled.id, user }, start);
    expect(await cancelled.statuses()).toEqual(['cancelled']);
    const last = await called([args({ cents: 102 })]);
    expect(await last.statuses()).toEqual(['queued']);
    // One whose conversation is gone may have been made.
    await deleteConversation(table, deployment.tools, last.id, user, start);
    expect(await statusOf({ cents: 101 })).toBe('queued');
    expect(await statusOf({ cents: 101 })).toBe('waiting');
  });

  test('that is revoked allows nothing more, also at the same moment as a call (R252)', async () => {
    const { id } = await made();
    const [raced] = await Promise.all([called([args({ cents: 101 })]), revokeStanding(table, user, id, start)]);
    const [one] = await raced.calls();
    const { uses } = await reportStanding(table, user, id);
    expect(uses.map(({ callId }) => callId)).toEqual(one!.status === 'queued' ? [one!.id] : []);
    expect(await statusOf({})).toBe('waiting');
    await revokeStanding(table, user, id, later(1));
    expect(await listStanding(table, user)).toMatchObject([{ revokedAt: start.toISOString() }]);
    await expect(revokeStanding(table, 'eve', id, start)).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('is made with its approval or not at all, wherever the process dies (R252)', async () => {
    await dyingEverywhere(table, async (dies) => {
      user = `ada${++serial}`;
      const asked = await called([args()]);
      await dies((on) => press(asked, limits, start, on));
      const [status] = await asked.statuses();
      expect(await readStandings(table, user)).toHaveLength(status === 'queued' ? 1 : 0);
      await press(asked, limits).catch(({ name }: Error) => expect(name).toBe('AlreadyAnswered'));
      expect(await readStandings(table, user)).toHaveLength(1);
    });
  });
});

test('it is not offered, and so not used, after words from outside or where a guard asks (R252, R144)', () => {
  const reply = {
    text: '',
    toolCalls: [{ id: 'c', name: 'pay', arguments: '{"to":"bob","cents":500,"purpose":"rent"}' }],
  };
  const at = { runId: 'r', step: 1, user: 'ada', now: start, knownIds: new Set<string>() } as never as Parameters<
    typeof decide
  >[2];
  const offered = (more: object) => decide(payer, reply, { ...at, ...more }).callbacks[0]!.standing;
  expect(offered({})).toBeDefined();
  expect(offered({ read: { ...nothingRead, sources: ['web'] } })).toBeUndefined();
  expect(offered({ objections: new Map([[0, { asks: 'A guard asks.' }]]) })).toBeUndefined();
});

test('a standing approval needs an owner who decides, and arguments that exist (R252)', () => {
  const tool = (more: object) => () => testTool('pay', { input, effect: 'once', approval: { ...approval, ...more } });
  expect(tool({ approvers: { group: 'finance' } })).toThrow(
    'tool pay: approval.standing: others decide about this tool',
  );
  expect(tool({ standing: { mayDiffer: ['whom'] } })).toThrow(
    'approval.standing.mayDiffer: the input has no field whom',
  );
  expect(tool({ standing: { mayDiffer: ['cents'] } })).toThrow('approval.standing.mayDiffer: cents is money');
  expect(tool({ standing: { mostDays: 91 } })).toThrow(
    'approval.standing.mostDays: must be a whole number from 1 to 90',
  );
});
