import * as z from 'zod';
import { addMember } from '../../../test/support/add-member';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedStep } from '../../../test/support/stories/scripted-step';
import { nap, stepsIn, testAgent, testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { forgetTodos } from '../../../test/support/tables/todos';
import { registry } from '../agent/registry';
import { stepPrefix } from '../calls/call';
import { cancelRun } from '../conversation/cancel';
import { cancelChild } from '../conversation/children';
import { forkConversation } from '../conversation/fork';
import { retryRun } from '../conversation/retry';
import { sendMessage } from '../conversation/send-message';
import { retryModel, wakeRun } from '../conversation/wake';
import type { Meta } from '../rows/meta';
import { changeConversation } from '../store/change-conversation';
import { readKind, readMeta, write } from '../store/table';
import { type Causing, type EffectName, effects } from './effects';
import { acceptOwnership, offerOwnership } from './ownership';
import type { Person } from './role';

const now = new Date('2027-03-01T08:00:00.000Z');
const later = new Date('2027-03-01T09:00:00.000Z').toISOString();
const table = tableOfTests();
const pay = testTool('pay', {
  input: z.object({}),
  effect: 'idempotent',
  compensate: async () => undefined,
} as object);
const payer = testAgent('payer', { tools: [pay, nap] });
const known = registry([payer]);
const { agents, tools } = known;

const people: Record<Causing | 'watcher' | 'stranger' | 'a group’s member', Person> = {
  stranger: 'eve',
  watcher: 'wes',
  member: 'ben',
  'a group’s member': { user: 'gus', groups: ['g'] },
  taker: 'hal',
  owner: 'ada',
};

const change = (id: string, next: (meta: Meta) => Partial<Meta>) =>
  changeConversation<void>(table, id, (meta) => ({ meta: { ...meta, ...next(meta) }, answer: undefined }));
const set = (id: string, run: Partial<Meta['run'] & object>) =>
  change(id, (meta) => ({ status: run.status ?? meta.status, run: { ...meta.run!, ...run } }));
const statesOf = async (id: string) =>
  ((await readKind(table, id, 'call')) as { status: string }[]).map((one) => one.status);

/** A conversation of all of them, whose run has paid, and perhaps waits. */
async function paid(waits = false): Promise<string> {
  const steps = stepsIn(table, now, payer);
  const { id, at } = await steps.given();
  const waiting = { id: 'n', name: 'nap', arguments: JSON.stringify({ at: later }) };
  const toolCalls = [{ id: 'c', name: 'pay', arguments: '{}' }, ...(waits ? [waiting] : [])];
  await steps.commit(at, await steps.begin(at), { text: 'I pay.', toolCalls });
  const [call] = (await readKind(table, id, 'call')) as { sk: string }[];
  await write(table, id, [
    { sk: call!.sk, set: { status: 'completed', attempts: 1, result: '"Paid"' }, onlyIf: { status: 'queued' } },
  ]);
  for (const [name, role] of [
    ['user:wes', 'watcher'],
    ['user:ben', 'member'],
    ['group:g', 'member'],
  ] as const)
    await addMember(table, { conversationId: id, by: 'ada' }, name, { role });
  return id;
}
const takenOver = (id: string) =>
  change(id, ({ run }) => ({
    status: 'waiting',
    run: { ...run!, status: 'waiting' },
    takenBy: { user: 'hal', callbackId: `${stepPrefix(run!.id, run!.step)}00` },
  }));

/** How each is caused, and the state of the run that it needs. */
const ways: Record<EffectName, { state: object; cause: (id: string, user: Person) => Promise<Meta> }> = {
  stop: { state: {}, cause: (id, user) => cancelRun(table, tools, { conversationId: id, user }, now) },
  undo: {
    state: { status: 'failed', heldUntil: later },
    cause: (id, user) => cancelRun(table, tools, { conversationId: id, user }, now),
  },
  retry: { state: { status: 'limited' }, cause: (id, user) => retryRun(table, id, user, now) },
  retryHeld: { state: { status: 'failed', heldUntil: later }, cause: (id, user) => retryRun(table, id, user, now) },
  askModel: {
    state: {
      modelWait: { model: 'm', since: now.toISOString(), nextAt: later, reason: 'x' },
      outages: { m: { since: now.toISOString(), failures: 1, reason: 'x', nextAt: later } },
    },
    cause: (id, user) => retryModel(table, { conversationId: id, user, nextAt: later }, now),
  },
  wake: {
    state: { status: 'sleeping', until: later },
    cause: (id, user) => wakeRun(table, { conversationId: id, user, until: later }, now),
  },
  fork: { state: {}, cause: (id, user) => forkConversation(table, { from: id, id: `${id}-f`, user, step: 1 }, now) },
  replace: {
    state: {},
    cause: (id, user) => forkConversation(table, { from: id, id: `${id}-f`, user, step: 1, model: 'm2' }, now),
  },
};

const cells = Object.keys(effects).flatMap((effect) =>
  Object.keys(people).map((who) => [effect as EffectName, who as keyof typeof people] as const),
);

describe('effects without a tool’s name', () => {
  test.each(cells)('%s by %s: as the table says (R267)', async (effect, who) => {
    const id = await paid(effect === 'wake');
    const person = people[who];
    const { state, cause } = ways[effect];
    // Who has taken it over stops nothing but a run that waits for them.
    if (who === 'taker') await takenOver(id);
    else await set(id, state);
    const before = await readMeta(table, id);
    const caused = cause(id, person);
    if (who === 'stranger') return expect(caused).rejects.toMatchObject({ name: 'NotFound' });
    const may = who === 'watcher' ? 'refused' : effects[effect].may[who === 'a group’s member' ? 'member' : who];
    if (who === 'taker' && effect === 'undo') {
      expect((await caused).run).toMatchObject({ status: 'cancelled', stoppedBy: 'hal' });
      return expect(await statesOf(id)).toEqual(['completed']);
    }
    if (may === 'refused') {
      await expect(caused).rejects.toMatchObject({ name: 'NotAllowed' });
      return expect(await readMeta(table, id)).toEqual(before);
    }
    const { run } = await caused;
    expect(run!.askedBy !== undefined).toBe(may === 'asks');
  });

  test('whose agents ask: after a member has ended a wait, a payment needs the owner’s approval (R227, R267)', async () => {
    const after = async (user: Person) => {
      const id = await paid(true);
      await set(id, ways.wake.state);
      const { input } = segmentOf(await ways.wake.cause(id, user))!;
      const reply = { text: '', toolCalls: [{ id: 'd', name: 'pay', arguments: '{}' }] };
      return (await scriptedStep({ table, registry: known, now: () => now, asked: [] }, input, reply)).next;
    };
    expect([await after('ada'), await after('ben')]).toEqual(['tool:pay', 'approval']);
  });

  test('a member’s stop undoes nothing; the owner may, while it is the latest run, and twice undoes once (R267)', async () => {
    const id = await paid();
    const stop = (user: Person) => cancelRun(table, tools, { conversationId: id, user }, now);
    expect(await stop('ben')).toMatchObject({ status: 'cancelled', run: { stoppedBy: 'ben' } });
    // A repeat, and one of another member, change nothing.
    const stopped = await readMeta(table, id);
    await stop('ben');
    await stop(people['a group’s member']);
    expect([await readMeta(table, id), await statesOf(id)]).toEqual([stopped, ['completed']]);
    const undone = await stop('ada');
    const { segment } = stopped!.run!;
    expect(undone).toMatchObject({ status: 'cancelling', run: { segment: segment + 1 } });
    expect([undone.run!.stoppedBy, (await stop('ada')).version]).toEqual([undefined, undone.version]);
  });

  test('what a member has stopped stays when the owner goes on (R267)', async () => {
    const id = await paid();
    await cancelRun(table, tools, { conversationId: id, user: 'ben' }, now);
    await sendMessage(table, agents, id, { user: 'ada', text: 'Go on' }, now);
    expect(await cancelRun(table, tools, { conversationId: id, user: 'ada' }, now)).toMatchObject({
      status: 'cancelled',
    });
    expect(await statesOf(id)).toEqual(['completed']);
  });

  test('a sub-agent’s run is stopped with it, and undone only when the owner undoes (R267)', async () => {
    const id = await paid();
    const stopped = await cancelChild(table, tools, id, now, { by: 'ben' });
    expect(stopped).toMatchObject({ status: 'cancelled', run: { stoppedBy: 'ben' } });
    // One that is over stays as it is.
    expect((await cancelChild(table, tools, id, now, { by: 'ben' }))!.version).toBe(stopped!.version);
    expect(await cancelChild(table, tools, id, now)).toMatchObject({ status: 'cancelling' });
  });

  test('another owner undoes nothing that was done for the former one (R267)', async () => {
    const id = await paid();
    const asked = { conversationId: id, by: 'ben' };
    await cancelRun(table, tools, { conversationId: id, user: 'ben' }, now);
    await forgetTodos(table, id);
    await offerOwnership(table, { ...asked, by: 'ada' }, 'ben');
    await acceptOwnership(table, asked, now);
    expect(await cancelRun(table, tools, { conversationId: id, user: 'ben' }, now)).toMatchObject({
      status: 'cancelled',
    });
    expect(await statesOf(id)).toEqual(['completed']);
  });
});
