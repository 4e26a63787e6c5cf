import { addMember } from '../../../test/support/add-member';
import { segmentOf } from '../../../test/support/segment-of';
import { deployment } from '../../../test/support/stories/asking';
import { breakingOff, isWrite, overtaken } from '../../../test/support/tables/mortal-table';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { forgetTodos } from '../../../test/support/tables/todos';
import { cancelRun } from '../conversation/cancel';
import { forkConversation } from '../conversation/fork';
import { retryRun } from '../conversation/retry';
import { sendMessage } from '../conversation/send-message';
import { trust } from '../conversation/trust';
import { whatIsRead } from '../decisions/provenance';
import type { Meta } from '../rows/meta';
import { childRows, createConversation } from '../runs/conversation';
import { readLog } from '../runs/log';
import { changeConversation } from '../store/change-conversation';
import { readMeta, type Table, write } from '../store/table';
import { joinByLink, makeLink, readLinks } from './links';
import { removeMember } from './members';
import { acceptOwnership, offerOwnership } from './ownership';
import { asItsAuthors, readMetaFor } from './role';

const now = new Date('2027-03-01T08:00:00.000Z');
const table = tableOfTests();
const { agents, tools } = deployment;
const tester = agents.get('tester')!;

const ada = (conversationId: string) => ({ conversationId, by: 'ada' });
const ben = (conversationId: string) => ({ conversationId, by: 'ben' });
const change = (id: string, next: (meta: Meta) => Partial<Meta>) =>
  changeConversation<void>(table, id, (meta) => ({ meta: { ...meta, ...next(meta) }, answer: undefined }));

let serial = 0;
/** A conversation at rest, with these versions and a sub-agent’s task, in which Ben is a member. */
async function given({ forks = 0, more = {} }: { forks?: number; more?: object } = {}): Promise<string[]> {
  const id = `own${++serial}`;
  const steps = stepsIn(table, now, tester);
  const { meta } = await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Hello', ...more }, now);
  const at = { ...segmentOf(meta)!.input, step: 1 };
  await steps.commit(at, await steps.begin(at), { text: 'Hi.', toolCalls: [] });
  await forgetTodos(table, id);
  const all = [id];
  for (let fork = 1; fork <= forks; fork++) {
    all.push(`${id}-${fork}`);
    await forkConversation(table, { from: id, id: `${id}-${fork}`, user: 'ada', step: 1 }, now);
    await cancelRun(table, tools, { conversationId: `${id}-${fork}`, user: 'ada' }, now);
    await forgetTodos(table, `${id}-${fork}`);
  }
  await addMember(table, ada(id), 'user:ben', { role: 'member' });
  return all;
}

/** A sub-agent’s conversation, whose run is over. */
async function withTask(id: string): Promise<string> {
  const task = { conversationId: `${id}-task`, callbackId: 'r.00001.00', agent: 'tester', task: 'Pay it' };
  await write(table, task.conversationId, childRows((await readMeta(table, id))!, task, 'tester', now));
  const steps = stepsIn(table, now, tester);
  const at = { ...segmentOf((await readMeta(table, task.conversationId))!)!.input, step: 1 };
  await steps.commit(at, await steps.begin(at), { text: 'Done.', toolCalls: [] });
  await forgetTodos(table, task.conversationId);
  await forgetTodos(table, id);
  const put = {
    id: 'r.00001.00',
    kind: 'agent',
    prompt: '',
    expiresAt: now.toISOString(),
    status: 'answered',
    version: 1,
    runId: 'r',
    conversationId: task.conversationId,
  };
  await write(table, id, [{ sk: 'CALLBACK#r.00001.00', put }]);
  return task.conversationId;
}

/** Adds versions without a step. */
async function manyVersions([id]: string[], count: number): Promise<string[]> {
  const meta = (await readMeta(table, id!))!;
  const all = Array.from({ length: count }, (_, index) => `${id}-${index}`);
  for (const to of all) {
    const put = { ...meta, conversationId: to, rootId: undefined, parentId: `fork-of:${id}` };
    await write(table, to, [{ sk: 'META', put }]);
    await write(table, id!, [{ sk: `FORK#${to}`, put: { id: to, path: [], createdAt: now.toISOString() } }]);
  }
  return [id!, ...all];
}

const offer = (id: string) => offerOwnership(table, ada(id), 'ben');
const accept = (id: string, on: Table = table) => acceptOwnership(on, ben(id), now);
const ownersOf = async (ids: string[]) => Promise.all(ids.map(async (id) => (await readMeta(table, id))!.owner));
/** The sources of what models read, after Ben’s own message. */
async function sourcesIn(id: string) {
  const meta = (await readMeta(table, id))!;
  const { messages, calls } = await readLog(table, id);
  return whatIsRead({ messages: messages.map((one) => asItsAuthors(meta, one)), calls }, 99).sources;
}

describe('a hand-over', () => {
  test.each([0, 1])(
    'is one change: its process dies after %i writes, and all is one person’s (R267)',
    async (writes) => {
      const ids = await given({ forks: 1 });
      ids.push(await withTask(ids[0]!));
      await offer(ids[0]!);
      await accept(ids[0]!, breakingOff(table, writes)).catch(() => undefined);
      const owner = writes === 0 ? 'ada' : 'ben';
      expect(await ownersOf(ids)).toEqual([owner, owner, owner]);
      if (owner === 'ben') return expect((await accept(ids[0]!)).owner).toBe('ben');
      // The owner thinks better of it.
      await offerOwnership(table, ada(ids[0]!), undefined);
      await removeMember(table, ada(ids[0]!), 'user:ben', now);
      await expect(accept(ids[0]!)).rejects.toMatchObject({ name: 'NotFound' });
    },
  );

  test.each<[string, (ids: string[]) => Promise<unknown>, object]>([
    [
      'a version becomes busy',
      ([, fork]) => sendMessage(table, agents, fork!, { user: 'ada', text: 'More' }, now),
      { name: 'WrongState' },
    ],
    ['the offer is taken back', ([id]) => offerOwnership(table, ada(id!), undefined), { name: 'WrongState' }],
    ['the person is removed', ([id]) => removeMember(table, ada(id!), 'user:ben', now), { name: 'NotFound' }],
  ])('is refused if %s between its look and its write (R267)', async (_what, overtakes, refusal) => {
    const ids = await given({ forks: 2 });
    await offer(ids[0]!);
    const late = overtaken(table, isWrite, () => overtakes(ids));
    await expect(accept(ids[0]!, late)).rejects.toMatchObject(refusal);
    expect(await ownersOf(ids)).toEqual(['ada', 'ada', 'ada']);
  });

  test('takes a version along that is forked at that moment (R267)', async () => {
    const [id] = await given();
    await offer(id!);
    const late = overtaken(table, isWrite, async () => {
      await forkConversation(table, { from: id!, id: `${id}-late`, user: 'ada', step: 1 }, now);
      await cancelRun(table, tools, { conversationId: `${id}-late`, user: 'ada' }, now);
      await forgetTodos(table, `${id}-late`);
    });
    await accept(id!, late);
    expect(await ownersOf([id!, `${id}-late`])).toEqual(['ben', 'ben']);
  });

  test('of more than one transaction holds is refused, and changes nothing (R267)', async () => {
    const [id] = await manyVersions(await given(), 19);
    await offer(id!);
    await expect(accept(id!)).rejects.toMatchObject({ of: { kind: 'owner-has-too-much' } });
    expect((await readMeta(table, id!))!.owner).toBe('ada');
  });
});

describe('what a former owner has left', () => {
  test('is another person’s: a machine’s words, a sub-agent’s task, what was said before (R227, R267)', async () => {
    const [id] = await given({ more: { startedBy: 'shop' } });
    const task = await withTask(id!);
    expect([await sourcesIn(id!), await sourcesIn(task)]).toEqual([undefined, undefined]);
    await offer(id!);
    await accept(id!);
    expect([await sourcesIn(id!), await sourcesIn(task)]).toEqual([['member'], ['member']]);
    // The new owner’s words are theirs, and they may trust the others.
    for (const one of [id!, task]) await sendMessage(table, agents, one, { user: 'ben', text: 'Go on' }, now);
    const { messages } = await readLog(table, id!);
    const meta = (await readMeta(table, id!))!;
    expect(messages.map((one) => asItsAuthors(meta, one).sources)).toEqual([['member'], undefined, undefined]);
    await trust(table, { conversationId: id!, user: 'ben' }, { messages: [1], calls: [] });
  });

  test('steers and acts no more: its instructions, model, metadata, claims and machine are gone (R267)', async () => {
    const [id] = await given({
      more: { startedBy: 'shop', metadata: { order: 'x'.repeat(2_000) }, claims: { tenant: 'a' } },
    });
    const { run } = (await readMeta(table, id!))!;
    expect(run!.claims).toEqual({ tenant: 'a' });
    await change(id!, () => ({ overrides: { agent: 'tester', model: 'm2', instructions: 'Pay Ada' } }));
    await offer(id!);
    await accept(id!);
    const { overrides, metadata, claims, startedBy, run: after } = (await readMeta(table, id!))!;
    expect({ overrides, metadata, claims, startedBy, ofRun: after!.claims }).toEqual({});
  });

  test('is not made by the new owner: no failed run is retried with the claims of the former one (R267)', async () => {
    const [id] = await given();
    await change(id!, ({ run }) => ({ status: 'failed', run: { ...run!, status: 'failed' } }));
    await offer(id!);
    await accept(id!);
    await expect(retryRun(table, id!, 'ben', now)).rejects.toMatchObject({ of: { kind: 'not-retriable' } });
    const [limited] = await given();
    await change(limited!, ({ run }) => ({ status: 'limited', run: { ...run!, status: 'limited' } }));
    await offer(limited!);
    await expect(accept(limited!)).rejects.toMatchObject({ of: { kind: 'owner-has-run' } });
  });

  test('lets nobody in: their links have ended, also when they own it again (R267)', async () => {
    const [id] = await given();
    const wanted = { role: 'member', lasts: 3_600 } as const;
    const { secret } = await makeLink(table, ada(id!), wanted, now);
    await offer(id!);
    // A link that is made while the conversation is handed over is the former owner’s, or nobody’s.
    const late = overtaken(table, isWrite, () => accept(id!));
    await expect(makeLink(late, ada(id!), wanted, now)).rejects.toMatchObject({ name: 'NotAllowed' });
    const join = (by: string) => joinByLink(table, { conversationId: id!, by }, { secret }, now);
    await expect(join('cleo')).rejects.toMatchObject({ name: 'NotFound' });
    await removeMember(table, ben(id!), 'user:ada', now);
    await expect(join('ada')).rejects.toMatchObject({ name: 'NotFound' });
    expect(await readLinks(table, (await readMeta(table, id!))!)).toEqual([]);
    await addMember(table, ben(id!), 'user:ada', { role: 'member' });
    await offerOwnership(table, ben(id!), 'ada');
    await acceptOwnership(table, ada(id!), now);
    await expect(join('cleo')).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('stays another person’s in a fork of the new owner, whose own words are theirs (R267)', async () => {
    const [id] = await given({ more: { startedBy: 'shop' } });
    await offer(id!);
    await accept(id!);
    const fork = await forkConversation(table, { from: id!, id: `${id}-f`, user: 'ben', step: 1 }, now);
    expect(fork.handedOver).toEqual({ times: 1, seq: 1 });
    expect(await sourcesIn(`${id}-f`)).toEqual(['member']);
  });
});

describe('all versions have the same members', () => {
  test('one who comes by a link asks in all, and is let into all (R225, R267)', async () => {
    const ids = await given({ forks: 1 });
    const { secret } = await makeLink(table, ada(ids[1]!), { role: 'member', lasts: 3_600 }, now);
    const asked = { conversationId: ids[1]!, by: 'cleo' };
    await joinByLink(table, asked, { secret }, now);
    for (const id of ids) expect((await readMeta(table, id))!.members).toMatchObject({ 'user:cleo': { asks: true } });
    // They take it back, and ask again.
    await removeMember(table, { conversationId: ids[0]!, by: 'cleo' }, 'user:cleo', now);
    for (const id of ids) expect((await readMeta(table, id))!.members).not.toHaveProperty('user:cleo');
    await joinByLink(table, asked, { secret }, now);
    await addMember(table, ada(ids[0]!), 'user:cleo', { role: 'member' });
    for (const id of ids) await readMetaFor(table, id, 'cleo', 'member');
  });

  test('who leaves by a request that breaks off is in all of them or in none, and leaves by its repeat (R225, R267)', async () => {
    const ids = await given({ forks: 2 });
    const leave = (on: Table) => removeMember(on, ben(ids[0]!), 'user:ben', now);
    await expect(leave(breakingOff(table, 0))).rejects.toThrow('gone');
    for (const id of ids) await readMetaFor(table, id, 'ben');
    await leave(breakingOff(table, 1)).catch(() => undefined);
    for (const id of ids) await expect(readMetaFor(table, id, 'ben')).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('also as many as are shared; of these there are no more (R267)', async () => {
    const ids = await manyVersions(await given(), 39);
    const tooMany = { of: { kind: 'too-many-versions' } };
    const fork = { from: ids[0]!, id: `${ids[0]}-more`, user: 'ada', step: 1 };
    await expect(forkConversation(table, fork, now)).rejects.toMatchObject(tooMany);
    await removeMember(table, ben(ids[0]!), 'user:ben', now);
    for (const id of ids) await expect(readMetaFor(table, id, 'ben')).rejects.toMatchObject({ name: 'NotFound' });
    // One that is not shared may have more, and then nobody can be let in.
    await forkConversation(table, fork, now);
    await manyVersions(ids, 48);
    await expect(addMember(table, ada(ids[0]!), 'user:ben', { role: 'member' })).rejects.toMatchObject(tooMany);
    expect((await readMeta(table, ids[1]!))!.members).toBeUndefined();
  });
});
