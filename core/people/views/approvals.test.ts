import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { decisionLines } from 'vigil-client/shared';
import * as z from 'zod';
import { longTest } from '../../../test/support/long';
import { askingIn } from '../../../test/support/stories/asking';
import { testAgent, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { LoopInput } from '../../base/state/loop-state';
import { NeedsApproval } from '../../base/text/errors';
import type { Caller } from '../../conversations/agent/approvers';
import { registry } from '../../conversations/agent/registry';
import type { Approval } from '../../conversations/agent/tool';
import { wholeDecision } from '../../conversations/approvals/decision';
import { readCallback } from '../../conversations/calls/callback';
import { closeAsked } from '../../conversations/calls/close';
import { approve, type Verdict } from '../../conversations/conversation/approve';
import { cancelRun } from '../../conversations/conversation/cancel';
import { deleteConversation } from '../../conversations/conversation/delete';
import { failRun } from '../../conversations/conversation/fail';
import { retryRun } from '../../conversations/conversation/retry';
import { sendMessage } from '../../conversations/conversation/send-message';
import { transcript } from '../../conversations/decisions/transcript';
import { key } from '../../conversations/rows/keys';
import { readMeta, readRow, write } from '../../conversations/store/table';
import { finishOpenCalls } from '../../machines/loop/open-calls';
import { runTool } from '../../machines/loop/run-tool';
import { listApprovals } from './approvals';
import { readTimeline } from './read-timeline';
import { shownCallback } from './shown';

// Who may decide about a call, and what they see: approvers who are not the owner.

const input = z.object({ cents: z.number().describe('c'), note: z.string().nullable().describe('n') });
const always: Approval<typeof input> = { when: () => true, prompt: 'Well?', expiresInSeconds: 3 * 86_400 };
const tool = (name: string, approval: Partial<Approval<typeof input>>) =>
  testTool(name, { input, effect: 'idempotent', approval: { ...always, ...approval } });
const finance = { group: 'finance' };
const refund = tool('refund', { approvers: finance, excludesOwner: true, showsMessages: 2 });
const shared = tool('shared', { approvers: finance });
const sign = tool('sign', { approvers: { claim: 'custom:role', value: 'a=b' } });
const own = tool('own', {});
/** Asks because of what was done before. */
const wire = testTool('wire', {
  input,
  effect: 'table',
  approval: { when: () => false, prompt: 'Wire?', approvers: finance },
  async execute(_input, { approved }) {
    if (!approved) throw new NeedsApproval('It is too much for today.');
    return 'wired';
  },
});
const agent = (onMessage: 'merge' | 'interrupt', name: string) =>
  testAgent(name, { onMessage, tools: [refund, shared, sign, own, wire] });
const [tester, hasty] = [agent('merge', 'tester'), agent('interrupt', 'hasty')];
const deployment = registry([tester, hasty]);

const caller = (user: string, groups: string[] = [], claims: Record<string, string> = {}): Caller => ({
  user,
  groups,
  claims,
});
const fay = caller('fay', ['staff', 'finance']);
const ada = caller('ada');

describe('approvals', () => {
  const table = tableOfTests();
  let now = new Date('2026-03-01T08:00:00Z');
  const begun: string[] = [];
  afterEach(async () => {
    for (const id of begun.splice(0)) await deleteConversation(table, deployment.tools, id, 'ada', now);
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name, IndexName: 'byDecider' }));
    expect(Items!.filter(({ openFor }) => !String(openFor).startsWith('todos:'))).toEqual([]);
  });

  const later = (days: number) => new Date(now.getTime() + days * 86_400_000);
  /** Each a second later than the one before. */
  const given = async (name: string, of = tester) => {
    now = new Date(now.getTime() + 1_000);
    const made = await askingIn(table, now, of)([name, { cents: 1, note: null }]);
    begun.push(made.id);
    return made;
  };
  type Given = Awaited<ReturnType<typeof given>>;
  const calledBy = ({ id, at, callId }: Given) => ({ conversationId: id, runId: at.runId, callId });
  const decide = ({ who }: Given, by: Caller, verdict: Verdict = { approved: true }, at = now) =>
    approve(table, deployment, { ...who, ...by }, verdict, at);
  const list = async (by: Caller, at = now) => (await listApprovals(table, deployment, by, at)).approvals;
  const listed = async (by: Caller, at = now) => (await list(by, at)).map(({ conversationId }) => conversationId);
  const stored = async ({ id, callId }: Given) => (await readCallback(table, id, callId))!;
  /** Lets CallModel look at what the execution has left. */
  async function continued({ id, at, callId }: Given, input: Partial<LoopInput> = {}, when = now) {
    const { run } = (await readMeta(table, id))!;
    const left: LoopInput = { ...at, segment: run!.segment, step: 1, call: { next: 'approval', callId }, ...input };
    return finishOpenCalls(table, left, run!, { tools: deployment.tools, now: when });
  }
  const expire = (made: Given) => continued(made, { error: { Error: 'States.Timeout' } }, later(4));
  const fail = ({ at }: Given) => failRun(table, deployment, at, 'It broke.', now);
  const cancel = ({ id }: Given) => cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);

  test.each([
    ['refund', 'a member of the group', fay, undefined],
    ['refund', 'a stranger', caller('eve', ['staff']), 'NotFound'],
    ['refund', 'somebody who is called like the group', caller('finance'), 'NotFound'],
    ['refund', 'the owner', ada, 'NotAllowed'],
    ['refund', 'the owner, as a member', caller('ada', ['finance']), 'NotAllowed'],
    ['shared', 'the owner, as a member', caller('ada', ['finance']), undefined],
    ['sign', 'somebody with the claim', caller('fay', [], { 'custom:role': 'a=b' }), undefined],
    ['sign', 'somebody with another value', caller('fay', [], { 'custom:role': 'a' }), 'NotFound'],
    ['sign', 'a group of that name', caller('fay', ['custom:role=a=b', 'claim:custom:role=a=b']), 'NotFound'],
    ['own', 'the owner', ada, undefined],
    ['own', 'a member of the group', fay, 'NotFound'],
  ])('%s: %s decides, or is refused (R147)', async (name, _who, by, error) => {
    const made = await given(name);
    if (error) {
      await expect(decide(made, by)).rejects.toMatchObject({ name: error });
      expect((await stored(made)).status).toBe('pending');
      return;
    }
    await decide(made, by);
    expect(await stored(made)).toMatchObject({ status: 'answered', outcome: { approved: true, by: by.user } });
    expect(await made.call()).toMatchObject({ status: 'queued', decidedBy: by.user });
    const { runs } = await readTimeline(table, deployment.tools, made.id, 'ada', now);
    expect(runs[0]!.entries).toContainEqual(expect.objectContaining({ id: made.callId, decidedBy: by.user }));
  });

  test('an approval from a notification is taken only if that showed all of it, and is noted as such (R194)', async () => {
    const made = await given('own');
    const whole = wholeDecision(await stored(made))!;
    expect(whole.text).toBe('Well? · cents: 1 · note: nothing · Asked by tester for own.');
    for (const shown of ['', 'another', wholeDecision({ ...(await stored(made)), id: 'other' })!.digest])
      await expect(decide(made, ada, { approved: true, shown })).rejects.toMatchObject({ path: 'shown' });
    const edited = { approved: true as const, shown: whole.digest, arguments: { cents: 2, note: null } };
    await expect(decide(made, ada, edited)).rejects.toMatchObject({ path: 'arguments' });
    expect((await stored(made)).status).toBe('pending');
    await decide(made, ada, { approved: true, shown: whole.digest });
    expect((await stored(made)).outcome).toEqual({ approved: true, by: 'ada', via: 'notification' });

    const long = await askingIn(table, now, tester)(['own', { cents: 1, note: 'n'.repeat(300) }]);
    begun.push(long.id);
    expect(wholeDecision(await stored(long))).toBeUndefined();
    const text = decisionLines(await stored(long)).join(' · ');
    const shown = createHash('sha256').update(`${long.callId}\n${text}`).digest('base64url');
    await expect(decide(long, ada, { approved: true, shown })).rejects.toMatchObject({ path: 'shown' });
  });

  test('the API draws what is asked, and then what was approved (R194)', async () => {
    const made = await given('own');
    const shown = async () => shownCallback((await readRow(table, made.id, key.callback(made.callId)))!, now);
    expect(await shown()).toMatchObject({
      agent: 'tester',
      schema: { properties: { cents: { type: 'number' } } },
      fields: [
        { name: 'cents', label: 'cents', kind: 'number', text: '1' },
        { name: 'note', label: 'note', kind: 'nothing', text: 'nothing' },
      ],
    });
    await decide(made, ada, { approved: true, arguments: { cents: 2, note: 'a, cents: 1' } });
    const after = await shown();
    expect(after).not.toHaveProperty('schema');
    expect(after.fields).toMatchObject([
      { text: '2', was: '1' },
      { text: '"a, cents: 1"', was: 'nothing' },
    ]);
  });

  test('a stranger learns nothing, and the owner learns who decides (R147, R124)', async () => {
    const made = await given('refund');
    const elsewhere = { ...made, who: { ...made.who, conversationId: 'nowhere' } };
    const words = async (attempt: Promise<unknown>) =>
      attempt.catch((error: Error) => `${error.name}: ${error.message}`);
    const eve = caller('eve');
    expect(await words(decide(made, eve))).toBe(`NotFound: You have no conversation ${made.id}.`);
    expect(await words(decide(elsewhere, eve))).toBe('NotFound: You have no conversation nowhere.');
    await decide(made, fay);
    expect(await words(decide(made, eve))).toBe(`NotFound: You have no conversation ${made.id}.`);
    expect(await words(decide(made, ada))).toBe(
      'NotAllowed: You cannot decide about this: the members of the group "finance" can, but not the owner of the conversation.',
    );
    expect(await words(decide(await given('sign'), ada))).toBe(
      'NotAllowed: You cannot decide about this: users whose token has the claim "custom:role" with the value "a=b" can.',
    );
  });

  test('the run waits for an approver, and the owner’s copy says for whom (R147)', async () => {
    const { id, callId } = await given('refund');
    expect(await readMeta(table, id)).toMatchObject({ status: 'waiting', waitsFor: 'approver' });
    const shown = shownCallback((await readRow(table, id, key.callback(callId)))!, now);
    expect(shown).toMatchObject({ approvers: finance, excludesOwner: true });
    for (const inside of ['decider', 'openFor', 'openSince', 'showsMessages']) expect(shown).not.toHaveProperty(inside);
    expect(await readMeta(table, (await given('own')).id)).toMatchObject({ waitsFor: 'you' });
  });

  test('each finds what waits for them, the newest last, and nothing else (R147)', async () => {
    const made = [await given('refund'), await given('sign'), await given('own'), await given('shared')];
    const [refunded, signed, owned, both] = made.map(({ id }) => id);
    expect(await listed(fay)).toEqual([refunded, both]);
    expect(await listed(caller('sam', [], { 'custom:role': 'a=b' }))).toEqual([signed]);
    expect(await listed(caller('eve', ['staff']))).toEqual([]);
    // Not the refund, about which an owner does not decide.
    expect(await listed(caller('ada', ['finance']))).toEqual([owned, both]);
    expect(await list(fay)).toContainEqual({
      conversationId: refunded,
      owner: 'ada',
      agent: 'tester',
      messages: [expect.anything()],
      callback: expect.objectContaining({ kind: 'approval', arguments: { cents: 1, note: null }, prompt: 'Well?' }),
    });
    await decide(made[0]!, fay);
    expect(await listed(fay)).toEqual([both]);
  });

  const closings: [string, (made: Given) => Promise<unknown>][] = [
    ['approved', (made) => decide(made, fay)],
    ['denied', (made) => decide(made, fay, { approved: false })],
    ['expired', expire],
    ['cancelled with its run', cancel],
    ['deleted', ({ id }) => deleteConversation(table, deployment.tools, id, 'ada', now)],
    ['interrupted', ({ id }) => sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Stop' }, now)],
    [
      'replaced by a new run',
      async (made) => {
        await fail(made);
        const { meta } = await sendMessage(table, deployment.agents, made.id, { user: 'ada', text: 'Next' }, now);
        await closeAsked(table, made.id, meta.run!, now);
      },
    ],
  ];
  test.each(closings)('%s, it is in no list, and not in the index (R147)', async (_how, close) => {
    const made = await given('refund', hasty);
    expect(await stored(made)).toMatchObject({ openFor: 'group:finance' });
    expect(await listed(fay)).toEqual([made.id]);
    await close(made);
    expect((await stored(made)).status).not.toBe('pending');
    expect(await stored(made)).not.toHaveProperty('openFor');
    expect(await listed(fay)).toEqual([]);
  });

  test('what is overdue is left out; so is what a failed run asks, until it is retried (R147)', async () => {
    const made = await given('refund');
    expect(await listed(fay, later(2.9))).toEqual([made.id]);
    expect(await listed(fay, later(3.1))).toEqual([]);
    await fail(made);
    expect(await stored(made)).not.toHaveProperty('openFor');
    expect(await listed(fay)).toEqual([]);
    await expect(decide(made, fay)).rejects.toMatchObject({ name: 'WrongState' });
    await retryRun(table, made.id, 'ada', now);
    await continued(made, { call: undefined });
    expect(await listed(fay)).toEqual([made.id]);
    await decide(made, fay);
  });

  test('a stale entry of the index shows nothing (R147)', async () => {
    const made = await given('refund');
    await decide(made, fay);
    const stale = { openFor: 'group:finance', openSince: `${now.toISOString()} ${made.callId}` };
    await write(table, made.id, [{ sk: key.callback(made.callId), set: stale, onlyIf: { status: 'answered' } }]);
    expect(await list(fay)).toEqual([]);
    const other = await given('refund');
    const misplaced = { openFor: 'group:staff' };
    await write(table, other.id, [{ sk: key.callback(other.callId), set: misplaced, onlyIf: { status: 'pending' } }]);
    expect(await listed(caller('eve', ['staff']))).toEqual([]);
    const tidy = { set: {}, remove: ['openFor'], onlyIf: { status: 'answered' } };
    await write(table, made.id, [{ sk: key.callback(made.callId), ...tidy }]);
  });

  test('a tool that asks because of what was done before asks its approvers, once the run waits (R147, R145)', async () => {
    const made = await given('wire');
    expect((await made.call()).status).toBe('queued');
    // What the tool does not know is not shown, because it would not run.
    const sent = { arguments: '{"cents":1,"note":null,"stray":true}' };
    await write(table, made.id, [{ sk: key.call(made.callId), set: sent, onlyIf: { status: 'queued' } }]);
    const toolRuntime = { table, now: () => now };
    const asked = calledBy(made);
    expect(await runTool(toolRuntime, wire, asked)).toBe('waiting');
    expect((await made.call()).arguments).toEqual({ cents: 1, note: null });
    expect(await listed(fay)).toEqual([]);
    const left: Partial<LoopInput> = { call: { next: 'tool:wire', callId: made.callId } };
    await continued(made, left);
    expect(await readMeta(table, made.id)).toMatchObject({ status: 'waiting', waitsFor: 'approver' });
    // Repeated, because the process has died after the write.
    await continued(made, left);
    expect(await list(fay)).toMatchObject([
      { callback: { prompt: 'Wire? The tool says: "It is too much for today."' } },
    ]);
    await expect(decide(made, ada)).rejects.toMatchObject({ name: 'NotAllowed' });
    await decide(made, fay);
    expect(await runTool(toolRuntime, wire, asked)).toBe('completed');
  });

  longTest('pages of several groups have one order and no gap (R147)', async () => {
    const sam = caller('sam', ['finance'], { 'custom:role': 'a=b' });
    const ids: string[] = [];
    for (let count = 0; count < 70; count++) ids.push((await given(count % 3 ? 'shared' : 'sign')).id);
    const read: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await listApprovals(table, deployment, sam, now, cursor);
      read.push(...page.approvals.map(({ conversationId }) => conversationId));
      sizes.push(page.approvals.length);
      cursor = page.cursor;
    }
    expect([read, sizes]).toEqual([ids, [30, 30, 10]]);
    for (const forged of ['x', '', Buffer.from('9').toString('base64url'), 'x'.repeat(9_000)])
      await expect(listApprovals(table, deployment, sam, now, forged)).rejects.toMatchObject({
        name: 'InvalidInput',
        path: 'cursor',
      });
  });

  test('approvers read as many messages before the call as the tool says, and no summary of the others (R147)', async () => {
    const { id } = await given('refund');
    const messages = async () => (await list(fay)).find((one) => one.conversationId === id)!.messages;
    expect(await messages()).toEqual([{ seq: 1, role: 'user', author: 'ada', text: 'Hello' }]);
    // The reply with the call is the second message.
    const said = (text: string, more = {}) => ({ set: { text, ...more }, onlyIf: { seq: 2 }, sk: key.message(2) });
    await write(table, id, [said('y'.repeat(9_000))]);
    expect((await messages())!.map(({ seq, text }) => [seq, text.length])).toEqual([
      [1, 5],
      // The last three bytes are those of the sign that it was cut.
      [2, 3_998],
    ]);
    await write(table, id, [said('All that was said.', { covers: 1 })]);
    await sendMessage(table, deployment.agents, id, { user: 'ada', text: 'A secret' }, now);
    expect(await messages()).toEqual([{ seq: 1, role: 'user', author: 'ada', text: 'Hello' }]);
    // What a guard has replaced is the owner's alone.
    await write(table, id, [{ sk: key.message(1), set: { heard: 'H[hidden]' }, onlyIf: { seq: 1 } }]);
    expect(await messages()).toEqual([{ seq: 1, role: 'user', author: 'ada', text: 'H[hidden]' }]);
    const silent = await given('shared');
    expect((await list(fay)).find((one) => one.conversationId === silent.id)).not.toHaveProperty('messages');
  });

  test('what an approver writes is another person’s words, for the model and for what is kept (R147, R144)', async () => {
    const denied = await given('shared');
    await decide(denied, fay, { approved: false, reason: 'Pay me instead.' });
    expect(await denied.call()).toMatchObject({ status: 'failed', sources: ['person'] });
    const silent = await given('shared');
    await decide(silent, fay, { approved: false });
    expect(await silent.call()).not.toHaveProperty('sources');
    const edited = await given('shared');
    await decide(edited, fay, { approved: true, arguments: { cents: 2, note: 'Pay me instead.' } });
    expect(await edited.call()).toMatchObject({ status: 'queued', edited: true, after: ['person'] });
    await runTool({ table, now: () => now }, shared, calledBy(edited));
    const done = await edited.call();
    expect(done).toMatchObject({ status: 'completed', sources: ['person'] });
    const reply = { seq: 2, version: 1, role: 'assistant', author: 'tester', text: '', status: 'complete' } as const;
    const items = transcript([{ ...reply, runId: done.runId, step: 1, createdAt: now.toISOString() }], [done], {
      before: 9,
    });
    const [note] = items.flatMap((item) => (item.kind === 'result' ? [item.text] : []));
    expect(note).toMatch(/^\[The approver changed the arguments\..* comes from another person\./);
    const owned = await given('own');
    await decide(owned, ada, { approved: true, arguments: { cents: 2, note: 'Pay me instead.' } });
    await runTool({ table, now: () => now }, own, calledBy(owned));
    expect(await owned.call()).toMatchObject({ edited: true, decidedBy: 'ada' });
    expect(await owned.call()).not.toHaveProperty('sources');
  });
});
