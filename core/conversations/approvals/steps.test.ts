import { noticesOf } from '../../../modules/notices/notice-of';
import { askingIn } from '../../../test/support/stories/asking';
import { askedTool, boss, caller, finance } from '../../../test/support/stories/deciders';
import { dyingEverywhere } from '../../../test/support/tables/mortal-table';
import { testAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { fireTimer } from '../../machines/timers/fire-timer';
import { broadcastOf } from '../../people/live/broadcast';
import { listApprovals } from '../../people/views/approvals';
import { shownCallback } from '../../people/views/shown';
import type { Caller } from '../agent/approvers';
import { registry } from '../agent/registry';
import { readCallback } from '../calls/callback';
import { readTimers } from '../calls/timer';
import { approve, type Verdict } from '../conversation/approve';
import { key } from '../rows/keys';
import { readMeta, readRow, type Table } from '../store/table';

// Approvals that several people decide: two of a group, in order, escalated, reminded.

const tool: typeof askedTool = (name, approval) => askedTool(name, { expiresInSeconds: 7 * 86_400, ...approval });
const day = 86_400;
const two = tool('two', { approvers: [{ by: finance, count: 2 }], excludesOwner: true });
const ordered = tool('ordered', {
  approvers: [{ by: finance }, { by: boss }, { by: 'owner' }],
  reminders: { everySeconds: day, atMost: 1 },
});
const escalated = tool('escalated', {
  approvers: [{ by: finance, escalation: { afterSeconds: day, to: boss } }, { by: { group: 'board' } }],
});
const reminded = tool('reminded', { reminders: { everySeconds: day, atMost: 2 } });
const tester = testAgent('tester', { tools: [two, ordered, escalated, reminded] });
const deployment = registry([tester]);
const [fay, fred, ada] = [caller('fay', ['finance']), caller('fred', ['finance']), caller('ada')];
const cai = caller('cai', [], { role: 'cfo' });
const yes = { approved: true } as const;

describe('an approval by several people', () => {
  const table = tableOfTests();
  let now = new Date('2026-03-01T08:00:00Z');
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const given = async (name: string) => {
    now = later(10 * day);
    return askingIn(table, now, tester)([name, { cents: 1 }]);
  };
  type Given = Awaited<ReturnType<typeof given>>;
  const decide = (made: Given, by: Caller, verdict: Verdict = yes, at = now, on: Table = table) =>
    approve(on, deployment, { ...made.who, ...by }, verdict, at);
  const stored = async ({ id, callId }: Given) => (await readCallback(table, id, callId))!;
  const shown = async ({ id, callId }: Given, at = now) =>
    shownCallback((await readRow(table, id, key.callback(callId)))!, at);
  const isListed = async ({ id }: Given, by: Caller, at = now) =>
    (await listApprovals(table, deployment, by, at)).approvals.some(({ conversationId }) => conversationId === id);

  test('waits for two of a group: each decides once, and both are named with their time (R252)', async () => {
    const made = await given('two');
    expect(await shown(made)).toMatchObject({ steps: [{ by: finance, count: 2 }], dueStep: 0, approvers: finance });
    expect((await decide(made, fay)).status).toBe('waiting');
    expect(await made.call()).toMatchObject({ status: 'waiting' });
    expect([await isListed(made, fay), await isListed(made, fred)]).toEqual([false, true]);
    // Her answer was lost, so she asks again: nothing changes.
    const { version } = await stored(made);
    expect((await decide(made, fay, yes, later(5))).status).toBe('waiting');
    expect(await stored(made)).toMatchObject({ version, status: 'pending' });
    expect((await decide(made, fred, yes, later(60))).status).toBe('running');
    expect(await made.call()).toMatchObject({ status: 'queued', decidedBy: 'fred' });
    const at = now.toISOString();
    expect(await shown(made)).toMatchObject({
      status: 'answered',
      outcome: { approved: true, by: 'fred' },
      dueStep: 1,
      decisions: [
        { by: 'fay', at, approved: true, step: 0 },
        { by: 'fred', at: later(60).toISOString(), approved: true, step: 0 },
      ],
    });
    await expect(decide(made, fay)).rejects.toMatchObject({ name: 'AlreadyAnswered' });
  });

  test('is refused to strangers, and to the owner as a member; one denial ends it, also of who has approved (R252)', async () => {
    const made = await given('two');
    for (const [by, name] of [
      [caller('eve', ['staff']), 'NotFound'],
      [caller('ada', ['finance']), 'NotAllowed'],
    ] as const)
      await expect(decide(made, by)).rejects.toMatchObject({ name });
    await decide(made, fay);
    await decide(made, fay, { approved: false, reason: 'Look again.' });
    expect(await made.call()).toMatchObject({ status: 'failed', decidedBy: 'fay' });
    expect((await stored(made)).decisions).toMatchObject([
      { approved: true },
      { approved: false, reason: 'Look again.' },
    ]);
    await expect(decide(made, fred)).rejects.toMatchObject({ name: 'AlreadyAnswered' });
  });

  test('has an order: each step is decided by another person, and is in the list of those who are to decide (R252)', async () => {
    const made = await given('ordered');
    const both = caller('bo', ['finance'], { role: 'cfo' });
    await expect(decide(made, cai)).rejects.toThrow(
      'You cannot decide about this: the members of the group "finance" can.',
    );
    expect([await isListed(made, both), await isListed(made, cai), await isListed(made, ada)]).toEqual([
      true,
      false,
      false,
    ]);
    await decide(made, both);
    // Who has decided does not decide as another.
    expect((await decide(made, both)).status).toBe('waiting');
    expect([await isListed(made, both), await isListed(made, fay), await isListed(made, cai)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await readMeta(table, made.id)).toMatchObject({ status: 'waiting', waitsFor: 'approver' });
    await decide(made, cai);
    expect(await readMeta(table, made.id)).toMatchObject({ status: 'waiting', waitsFor: 'you' });
    expect(await made.call()).toMatchObject({ status: 'waiting', decider: 'user:ada' });
    expect(await isListed(made, ada)).toBe(true);
    await decide(made, ada);
    expect(await made.call()).toMatchObject({ status: 'queued' });
    expect((await stored(made)).decisions?.map(({ by, step }) => [by, step])).toEqual([
      ['bo', 0],
      ['cai', 1],
      ['ada', 2],
    ]);
  });

  test('is of one set of arguments: the first may change them, and who was shown others says so (R252, R146)', async () => {
    const made = await given('ordered');
    await decide(made, fay, { approved: true, arguments: { cents: 2 } });
    expect(await shown(made)).toMatchObject({
      arguments: { cents: 2 },
      asked: { cents: 1 },
      decisions: [{ by: 'fay', changed: true }],
      fields: [{ name: 'cents', text: '2', was: '1' }],
    });
    // The page of the second still shows the original ones.
    await expect(decide(made, cai)).rejects.toMatchObject({ path: 'arguments' });
    for (const cents of [1, 3])
      await expect(decide(made, cai, { approved: true, arguments: { cents } })).rejects.toMatchObject({
        path: 'arguments',
      });
    await decide(made, cai, { approved: true, arguments: { cents: 2 } });
    await decide(made, ada, { approved: true, arguments: { cents: 2 } });
    expect(await made.call()).toMatchObject({
      status: 'queued',
      arguments: { cents: 2 },
      edited: true,
      after: ['person'],
    });
    expect(await shown(made)).toMatchObject({
      outcome: { approved: true, by: 'ada', arguments: { cents: 2 } },
      fields: [{ name: 'cents', text: '2', was: '1' }],
    });
    const later_ = await given('two');
    await decide(later_, fay);
    await expect(decide(later_, fred, { approved: true, arguments: { cents: 9 } })).rejects.toMatchObject({
      path: 'arguments',
    });
  });

  test('of two decisions at once both count, and of the same one twice one does (R252)', async () => {
    const made = await given('two');
    await Promise.all([decide(made, fay), decide(made, fred)]);
    expect(await made.call()).toMatchObject({ status: 'queued' });
    const again = await given('two');
    await Promise.all([decide(again, fay), decide(again, fay), decide(again, fay)]);
    expect((await stored(again)).decisions).toHaveLength(1);
    expect(await again.call()).toMatchObject({ status: 'waiting' });
    const raced = await given('two');
    await decide(raced, fay);
    const ends = await Promise.allSettled([
      decide(raced, fred),
      decide(raced, caller('fox', ['finance']), { approved: false }),
    ]);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await stored(raced)).decisions).toHaveLength(2);
  });

  test('survives the death of a process at each request: it is decided or it is not, and a repeat completes it (R252)', async () => {
    await dyingEverywhere(table, async (dies) => {
      const made = await given('ordered');
      await decide(made, fay);
      await dies((on) => decide(made, cai, yes, now, on));
      await decide(made, cai);
      expect((await stored(made)).decisions?.map(({ by }) => by)).toEqual(['fay', 'cai']);
      expect(await readMeta(table, made.id)).toMatchObject({ waitsFor: 'you' });
      await decide(made, ada);
      expect(await made.call()).toMatchObject({ status: 'queued' });
    });
  });

  /** Fires the timer of a step, and returns when it is due again. */
  async function fire(made: Given, at: Date, on: Table = table, step = 0) {
    const timer = (await readTimers(table, made.id)).find(({ id }) => id === `${made.callId}.step${step}`)!;
    const { id: timerId, segment, nextAt } = timer;
    const due = { conversationId: made.id, timerId, segment, at: nextAt };
    return fireTimer(on, deployment.agents, due, at);
  }

  test('tells those who can decide again, so often at most, and no others (R252, R154)', async () => {
    const made = await given('reminded');
    const before = (await readRow(table, made.id, key.callback(made.callId)))!;
    expect(await fire(made, later(day))).toMatchObject({ next: 'wait', at: later(2 * day).toISOString() });
    // The same firing again, because its answer was lost.
    expect(await fire(made, later(day))).toMatchObject({ next: 'wait' });
    const row = (await readRow(table, made.id, key.callback(made.callId)))!;
    expect(row).toMatchObject({ told: 1, toldAt: later(day).toISOString() });
    const change = { conversationId: made.id, sk: key.callback(made.callId), row, before };
    expect(noticesOf(change)[0]).toMatchObject({
      user: 'ada',
      kind: 'approval',
      id: expect.stringMatching(/told\/1$/),
    });
    expect(broadcastOf([change], now).pushes.map(({ topic }) => topic)).toContain('APPROVALS#user:ada');
    expect(await fire(made, later(2 * day))).toMatchObject({ next: 'done' });
    expect(await stored(made)).toMatchObject({ told: 2, status: 'pending' });
    await decide(made, ada, yes, later(2 * day));
  });

  test('that is decided, or has another step due, reminds of nothing; each step has its own timer (R252)', async () => {
    const made = await given('reminded');
    await decide(made, ada);
    expect(await fire(made, later(day))).toMatchObject({ next: 'done' });
    expect(await stored(made)).not.toHaveProperty('told');
    const other = await given('escalated');
    expect((await readTimers(table, other.id)).map(({ id }) => id)).toEqual([`${other.callId}.step0`]);
    await decide(other, fay);
    expect(await fire(other, later(day))).toMatchObject({ next: 'done' });
    expect(await stored(other)).not.toHaveProperty('told');
    const another = await given('ordered');
    await decide(another, fay);
    expect(await fire(another, later(day), table, 1)).toMatchObject({ next: 'done' });
    expect(await stored(another)).toMatchObject({ told: 1, toldAt: later(day).toISOString() });
  });

  test('is told of once, wherever the process that tells dies (R252)', async () => {
    await dyingEverywhere(table, async (dies) => {
      const made = await given('reminded');
      await dies((on) => fire(made, later(day), on));
      await fire(made, later(day));
      expect(await stored(made)).toMatchObject({ told: 1 });
    });
  });
});
