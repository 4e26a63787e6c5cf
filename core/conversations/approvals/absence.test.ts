import { askingIn } from '../../../test/support/stories/asking';
import { askedTool, boss, caller, finance } from '../../../test/support/stories/deciders';
import { dyingEverywhere, isWrite, overtaken } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { listApprovals } from '../../people/views/approvals';
import { defineAgent } from '../agent/agent';
import type { Caller } from '../agent/approvers';
import { registry } from '../agent/registry';
import { readCallback } from '../calls/callback';
import { approve } from '../conversation/approve';
import type { Table } from '../store/table';
import { absenceOf, beAbsent, endAbsence, readStandIns } from './absence';
import type { SignInToken } from './grant';

// Who decides while an approver is away.

const tools = [
  askedTool('one', { approvers: finance }),
  askedTool('two', { approvers: [{ by: finance, count: 2 }], excludesOwner: true }),
  askedTool('escalated', { approvers: [{ by: finance, escalation: { afterSeconds: 86_400, to: boss } }] }),
  askedTool('own', {}),
];
const tester = defineAgent({ name: 'tester', purpose: 'p', instructions: 'i', model: 'm', tools });
const deployment = registry([tester]);
const start = new Date('2026-03-01T08:00:00Z');
const later = (days: number) => new Date(start.getTime() + days * 86_400_000);

describe('an absent approver', () => {
  const table = tableOfTests();
  let serial = 0;
  /** Other people in each test. */
  let [fay, fred, sam] = [caller(''), caller(''), caller('')];
  beforeEach(() => {
    serial += 1;
    fay = caller(`fay${serial}`, ['finance', 'staff'], { role: 'cfo' });
    fred = caller(`fred${serial}`, ['finance']);
    sam = caller(`sam${serial}`);
  });
  const given = (name: string) => askingIn(table, start, tester)([name, { cents: 1 }]);
  type Given = Awaited<ReturnType<typeof given>>;
  const decide = (made: Given, by: Caller, at = start, approved = true, on: Table = table) =>
    approve(on, deployment, { ...made.who, ...by }, approved ? { approved: true } : { approved: false }, at);
  const decisions = async ({ id, callId }: Given) => (await readCallback(table, id, callId))!.decisions;
  const away = (by: Caller, to: Caller, on: Table = table, until = later(5)) =>
    beAbsent(on, deployment, by, { to: to.user, from: start.toISOString(), until: until.toISOString() }, start);
  const listed = async ({ id }: Given, by: Caller, at = start) =>
    (await listApprovals(table, deployment, by, at)).approvals.find(({ conversationId }) => conversationId === id);

  test('and the stand-in count as one, whoever is first, and nobody decides for two (R252)', async () => {
    await away(fay, sam);
    await away(fred, sam);
    const made = await given('two');
    await decide(made, sam);
    // In the place of the other one, too: nothing changes.
    await decide(made, sam);
    const [first] = (await decisions(made))!;
    const absent = [fay, fred].find(({ user }) => user === first!.inPlaceOf)!;
    await decide(made, absent);
    expect(await decisions(made)).toHaveLength(1);
    await decide(made, absent === fay ? fred : fay);
    expect(await made.call()).toMatchObject({ status: 'queued' });
    const reverse = await given('two');
    await decide(reverse, fay);
    await decide(reverse, fred);
    expect(await reverse.call()).toMatchObject({ status: 'queued' });
  });

  test('one token names a stand-in until it ends; a later one of the sign-in confirms it (R267)', async () => {
    const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);
    const token = (id: string, signIn: string, ends = later(0.01)) => ({
      id,
      signIn,
      issuedAt: seconds(start),
      until: seconds(ends),
    });
    const name = (by: SignInToken, until = later(5), at = start) =>
      beAbsent(table, deployment, fay, { to: sam.user, from: start.toISOString(), until: until.toISOString() }, at, by);
    const standsIn = async (at: Date) => (await readStandIns(table, sam.user, at)).length === 1;
    const shown = async (at = start) => (await absenceOf(table, fay.user, at)).absence;
    // A stolen token, again and again, and one of another sign-in.
    await name(token('stolen', 's1'));
    await name(token('stolen', 's1'));
    await name(token('other', 's2'));
    await name(token('stolen', 's1'));
    expect([await standsIn(start), await standsIn(later(0.1)), await shown(later(0.1))]).toEqual([
      true,
      false,
      undefined,
    ]);
    expect(await shown()).toMatchObject({ to: sam.user, unconfirmedUntil: later(0.01).toISOString() });
    await name(token('next', 's1'));
    expect([await standsIn(later(0.1)), await standsIn(later(4)), await standsIn(later(6))]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await shown()).not.toHaveProperty('unconfirmedUntil');
    // Renewed, it stays; more than was confirmed is asked about again.
    await name(token('later', 's1'));
    expect(await standsIn(later(4))).toBe(true);
    await name(token('stolen too', 's1'), later(20));
    expect(await standsIn(later(4))).toBe(false);
    // What has lapsed is not confirmed any more.
    await name(token('much later', 's1', later(2)), later(20), later(1));
    expect(await standsIn(later(3))).toBe(false);
  });

  test('the stand-in denies what they have approved while the absence lasts, in the same place, and not after it (R252)', async () => {
    await away(fay, sam);
    const [made, other] = [await given('two'), await given('two')];
    await decide(made, sam);
    await decide(other, sam);
    await decide(made, sam, later(1), false);
    expect(await decisions(made)).toMatchObject([
      { by: sam.user, inPlaceOf: fay.user, approved: true },
      { by: sam.user, inPlaceOf: fay.user, approved: false },
    ]);
    await endAbsence(table, fay.user, start);
    await expect(decide(other, sam, start, false)).rejects.toMatchObject({ name: 'NotAllowed' });
    // An approval that is sent again, because its answer was lost, changes nothing.
    await decide(other, sam);
    expect(await decisions(other)).toHaveLength(1);
    // The absent person takes it back.
    await decide(other, fay, start, false);
    expect(await decisions(other)).toMatchObject([{ by: sam.user }, { by: fay.user, approved: false }]);
  });

  test('who comes back when the time is over is decided for no more, not by a slow process either (R252)', async () => {
    await away(fay, sam);
    const made = await given('one');
    await endAbsence(table, fay.user, later(5));
    // Its clock says that the absence lasts.
    await expect(decide(made, sam, later(4.9))).rejects.toMatchObject({ name: 'NotFound' });
    await away(fred, sam);
    await endAbsence(table, fred.user, later(6));
    expect(await readStandIns(table, sam.user, later(4))).toMatchObject([{ user: fred.user }]);
  });

  test('gives no right over own conversations: not those of the absent one, nor those of the stand-in (R252)', async () => {
    const ada = caller('ada', ['finance']);
    await away(ada, sam);
    const own = await given('own');
    await expect(decide(own, sam)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await listed(own, sam)).toBeUndefined();
    // Ada asks, so neither she nor somebody in her place decides.
    const excluded = await given('two');
    await expect(decide(excluded, sam)).rejects.toMatchObject({ name: 'NotFound' });
    await away(fay, caller('ada'));
    const asked = await given('one');
    await expect(decide(asked, caller('ada'))).rejects.toMatchObject({ name: 'NotAllowed' });
    await endAbsence(table, 'ada', start);
  });

  test('may be one of those to whom it escalates, from then on (R252)', async () => {
    await away(caller(fay.user, [], { role: 'cfo' }), sam);
    const made = await given('escalated');
    expect(await listed(made, sam)).toBeUndefined();
    await expect(decide(made, sam)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await listed(made, sam, later(1))).toMatchObject({ inPlaceOf: fay.user });
    await decide(made, sam, later(1));
    expect(await made.call()).toMatchObject({ status: 'queued' });
  });

  test('who comes back, or names another, ends it, also at the same moment as a decision (R252)', async () => {
    await away(fay, sam);
    const eva = caller(`eva${serial}`);
    await away(fay, eva);
    expect(await readStandIns(table, sam.user, start)).toEqual([]);
    const made = await given('one');
    const [, ended] = await Promise.allSettled([decide(made, eva), endAbsence(table, fay.user, start)]);
    expect(ended.status).toBe('fulfilled');
    const other = await given('one');
    await expect(decide(other, eva)).rejects.toMatchObject({ name: 'NotFound' });
    await endAbsence(table, fay.user, start);
    expect(await absenceOf(table, fay.user, start)).toEqual({ standsInFor: [] });
  });

  test('a decision that was read before the absence ended, and is written after, is not made (R252)', async () => {
    await away(fay, sam);
    const made = await given('one');
    const late = overtaken(table, isWrite, () => endAbsence(table, fay.user, start));
    await expect(decide(made, sam, start, true, late)).rejects.toMatchObject({ name: 'NotFound' });
    expect(await made.call()).toMatchObject({ status: 'waiting' });
  });

  test('who names two at the same moment is stood in for by one of them (R252)', async () => {
    const late = overtaken(table, isWrite, () => away(fay, fred));
    await away(fay, sam, late);
    expect(await readStandIns(table, fred.user, start)).toEqual([]);
    expect(await readStandIns(table, sam.user, start)).toHaveLength(1);
  });

  test('is absent or not, wherever the process dies (R252)', async () => {
    await dyingEverywhere(table, async (dies) => {
      const [one, two] = [caller(`one${++serial}`, ['finance']), caller(`two${serial}`)];
      await dies((on) => away(one, two, on));
      const { absence } = await absenceOf(table, one.user, start);
      expect((await readStandIns(table, two.user, start)).length).toBe(absence ? 1 : 0);
      await away(one, two);
      expect(await readStandIns(table, two.user, start)).toHaveLength(1);
    });
  });

  test('names somebody else, for 30 days at most, and must have something to decide (R252)', async () => {
    await expect(away(fay, fay)).rejects.toMatchObject({ path: 'to' });
    await expect(away(caller('eve', ['staff']), sam)).rejects.toMatchObject({ path: 'to' });
    await expect(away(fay, sam, table, later(31))).rejects.toMatchObject({ path: 'until' });
    await expect(away(fay, sam, table, later(0))).rejects.toMatchObject({ path: 'until' });
  });
});
