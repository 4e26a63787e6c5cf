import { noticesOf } from '../../../modules/notices/notice-of';
import { ask, askingIn } from '../../../test/support/stories/asking';
import { askedTool, boss, caller, finance } from '../../../test/support/stories/deciders';
import { dyingEverywhere } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { listApprovals } from '../../people/views/approvals';
import { defineAgent } from '../agent/agent';
import type { Caller } from '../agent/approvers';
import { registry } from '../agent/registry';
import { readCallback } from '../calls/callback';
import { approve } from '../conversation/approve';
import { key } from '../rows/keys';
import { readRow, type Table } from '../store/table';
import { beAbsent } from './absence';
import { assign } from './assign';
import { assignmentOf } from './steps';

// One of those who can decide about an approval is asked to.

const tools = [
  askedTool('one', { approvers: finance }),
  askedTool('ordered', { approvers: [{ by: finance, count: 2 }, { by: boss }], excludesOwner: true }),
  askedTool('own', {}),
  ask,
];
const tester = defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools });
const deployment = registry([tester]);
const start = new Date('2026-03-01T08:00:00Z');
const later = (days: number) => new Date(start.getTime() + days * 86_400_000);

describe('an approval', () => {
  const table = tableOfTests();
  let serial = 0;
  let [fay, fred, sam, cleo] = [caller(''), caller(''), caller(''), caller('')];
  beforeEach(async () => {
    serial += 1;
    fay = caller(`fay${serial}`, ['finance']);
    fred = caller(`fred${serial}`, ['finance', 'staff']);
    sam = caller(`sam${serial}`);
    cleo = caller(`cleo${serial}`, [], { role: 'cfo' });
    for (const one of [fay, fred, sam, cleo]) await listApprovals(table, deployment, one, start);
  });
  const given = (name: string) => askingIn(table, start, tester)([name, { cents: 1 }]);
  type Given = Awaited<ReturnType<typeof given>>;
  const request = (made: Given, by: Caller, to: Caller | undefined, at = start, on: Table = table) =>
    assign(on, { ...made.who, ...by }, { to: to?.user }, at);
  const decide = (made: Given, by: Caller, at = start) =>
    approve(table, deployment, { ...made.who, ...by }, { approved: true }, at);
  const assigned = async ({ id, callId }: Given) => assignmentOf((await readCallback(table, id, callId))!);
  const shown = async ({ id }: Given, by: Caller) =>
    (await listApprovals(table, deployment, by, start)).approvals.find(({ conversationId }) => conversationId === id);

  test('is assigned to one of those who can decide. All of them see it, and others still decide (R253)', async () => {
    const made = await given('one');
    await request(made, fay, fred);
    const hint = { to: fred.user, by: fay.user, at: start.toISOString() };
    for (const one of [fay, fred]) expect((await shown(made, one))!.callback.assigned).toEqual(hint);
    await decide(made, fay);
    expect(await made.call()).toMatchObject({ status: 'queued' });
  });

  test('names who is asked, who asks and who decides, as their tokens do, and again when a name has changed (R252, R253)', async () => {
    const called = (one: Caller, name: string): Caller => ({ ...one, claims: { ...one.claims, name } });
    const made = await given('one');
    for (const name of ['Fred Ash', 'Fred Oak']) await listApprovals(table, deployment, called(fred, name), start);
    await request(made, called(fay, 'Fay Elm'), fred);
    expect(await assigned(made)).toMatchObject({ toName: 'Fred Oak', byName: 'Fay Elm' });
    await decide(made, called(fred, 'Fred Oak'));
    const { decisions } = (await readCallback(table, made.id, made.callId))!;
    expect(decisions).toMatchObject([{ by: fred.user, name: 'Fred Oak', approved: true }]);
    // A token without a name.
    const other = await given('one');
    await request(other, fay, fay);
    expect(await assigned(other)).toEqual({ to: fay.user, by: fay.user, at: start.toISOString(), step: 0 });
  });

  test('is assigned once, to another one, and to nobody again (R253)', async () => {
    const made = await given('one');
    await request(made, fay, fred);
    const { version } = (await readCallback(table, made.id, made.callId))!;
    await request(made, fay, fred, later(1));
    expect((await readCallback(table, made.id, made.callId))!.version).toBe(version);
    await request(made, fred, fay);
    expect(await assigned(made)).toMatchObject({ to: fay.user, by: fred.user });
    for (const _ of [1, 2]) await request(made, fay, undefined);
    expect(await assigned(made)).toBeUndefined();
    expect((await shown(made, fay))!.callback).not.toHaveProperty('assigned');
  });

  test('is not assigned to somebody who cannot decide, or was not seen lately as one who can (R253)', async () => {
    const made = await given('one');
    const unseen = caller(`una${serial}`, ['finance']);
    for (const one of [sam, cleo, unseen, caller('ada')])
      await expect(request(made, fay, one)).rejects.toMatchObject({ name: 'InvalidInput', path: 'to' });
    await listApprovals(table, deployment, unseen, start);
    await request(made, fay, unseen);
    const other = await given('one');
    await expect(request(other, fay, unseen, later(30))).rejects.toMatchObject({ name: 'AlreadyAnswered' });
    // Who has left the group is seen as that.
    await listApprovals(table, deployment, caller(fred.user), start);
    await expect(request(other, fay, fred)).rejects.toMatchObject({ path: 'to' });
    await beAbsent(
      table,
      deployment,
      fay,
      { to: sam.user, from: start.toISOString(), until: later(3).toISOString() },
      start,
    );
    await request(other, sam, sam);
    expect(await assigned(other)).toMatchObject({ to: sam.user });
  });

  test('is assigned by those who can decide now, and no stranger learns of it (R253)', async () => {
    const made = await given('ordered');
    await expect(request(made, sam, fred)).rejects.toMatchObject({ name: 'NotFound' });
    await expect(request(made, caller('ada'), fred)).rejects.toMatchObject({ name: 'NotAllowed' });
    await expect(request(made, cleo, fred)).rejects.toMatchObject({ name: 'NotAllowed' });
    await expect(
      assign(table, { ...made.who, ...fay, callbackId: 'none' }, { to: fred.user }, start),
    ).rejects.toMatchObject({
      name: 'NotFound',
    });
    const question = await askingIn(table, start, tester)(['ask']);
    await expect(request(question, caller('ada'), fred)).rejects.toMatchObject({ name: 'InvalidInput' });
  });

  test('is no longer assigned when that person has decided, or another step is due (R253)', async () => {
    const made = await given('ordered');
    await request(made, fay, fred);
    await expect(request(made, fay, cleo)).rejects.toMatchObject({ path: 'to' });
    await decide(made, fred);
    expect(await assigned(made)).toBeUndefined();
    const eva = caller(`eva${serial}`, ['finance']);
    await listApprovals(table, deployment, eva, start);
    await expect(request(made, fay, fred)).rejects.toMatchObject({ path: 'to' });
    await request(made, fay, eva);
    await decide(made, fay);
    expect(await assigned(made)).toBeUndefined();
    expect((await shown(made, cleo))!.callback).not.toHaveProperty('assigned');
    await decide(made, cleo);
    await expect(request(made, cleo, cleo)).rejects.toMatchObject({ name: 'AlreadyAnswered' });
  });

  test('notifies each assignee once, and nobody who takes it (R253)', async () => {
    const made = await given('one');
    const sk = key.callback(made.callId);
    const row = () => readRow(table, made.id, sk);
    const noticed = async (by: Caller, to: Caller | undefined) => {
      const before = (await row())!;
      await request(made, by, to);
      return noticesOf({ conversationId: made.id, sk, row: (await row())!, before })[0];
    };
    const first = await noticed(fay, fred);
    expect(first).toMatchObject({ user: fred.user, kind: 'approval', isAssigned: true, callbackId: made.callId });
    expect(await noticed(fay, fred)).toBeUndefined();
    expect(await noticed(fay, fay)).toBeUndefined();
    expect(await noticed(fay, undefined)).toBeUndefined();
    expect((await noticed(fay, fred))!.id).toBe(first!.id);
    const before = (await row())!;
    await decide(made, fay);
    expect(noticesOf({ conversationId: made.id, sk, row: (await row())!, before })).toEqual([]);
  });

  test('is decided and assigned in one order, if both come at once (R253)', async () => {
    const made = await given('one');
    const [decided, asked] = await Promise.allSettled([decide(made, fay), request(made, fay, fred)]);
    expect(decided.status).toBe('fulfilled');
    if (asked.status === 'rejected') expect(asked.reason).toMatchObject({ name: 'AlreadyAnswered' });
    expect(await made.call()).toMatchObject({ status: 'queued' });
    expect((await readCallback(table, made.id, made.callId))!.status).toBe('answered');
  });

  test('is assigned or not, wherever the process dies, and a repeated request assigns it once (R253)', async () => {
    await dyingEverywhere(table, async (dies) => {
      const made = await given('one');
      await dies((on) => request(made, fay, fred, start, on));
      const first = await assigned(made);
      await request(made, fay, fred, later(1));
      const again = await assigned(made);
      expect(again).toMatchObject({ to: fred.user });
      if (first) expect(again).toEqual(first);
    });
  });
});
