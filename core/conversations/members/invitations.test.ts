import { deployment } from '../../../test/support/stories/asking';
import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { listShared } from '../../people/views/list';
import { viewConversation } from '../../people/views/view';
import { markDeleted } from '../conversation/delete';
import { forkConversation } from '../conversation/fork';
import { sendMessage } from '../conversation/send-message';
import { createConversation } from '../runs/conversation';
import { readMeta } from '../store/table';
import { setIgnored } from './ignored';
import { acceptInvitation, listInvitations } from './invitations';
import { joinByLink, makeLink } from './links';
import { readSharedWith, removeMember, setMember } from './members';
import { offerOwnership } from './ownership';
import { type Person, readMetaFor, usersIn } from './role';

const table = tableOfTests();
const now = new Date('2027-03-01T08:00:00.000Z');
const noSuch = { name: 'NotFound' };
let count = 0;
const someone = () => `guest${++count}`;
const nameOf = (user: string) => `user:${user}`;

async function invited(user: string, by = 'ada') {
  const id = `invites${++count}`;
  await createConversation(table, { id, user: by, agent: 'tester' }, now);
  await setMember(table, { conversationId: id, by }, nameOf(user), { role: 'member', name: 'Ben' });
  return id;
}

describe('nobody is added unasked (R267)', () => {
  test('who is invited is a stranger until they accept, and then a member of all versions', async () => {
    const steps = stepsIn(table, now);
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), { text: 'Done.', toolCalls: [] });
    const owner = (await readMeta(table, id))!.owner;
    const ben = someone();
    await setMember(table, { conversationId: id, by: owner }, nameOf(ben), { role: 'member' });
    await forkConversation(table, { from: id, id: `${id}f`, user: owner, step: 1, text: 'Otherwise' }, now);
    for (const one of [id, `${id}f`]) await expect(readMetaFor(table, one, ben)).rejects.toMatchObject(noSuch);
    expect([await readSharedWith(table, ben), (await listShared(table, ben)).conversations]).toEqual([[], []]);
    const meta = (await readMeta(table, id))!;
    expect(usersIn(meta)).toEqual([]);
    const said = { user: owner, text: 'Look', to: 'people' as const, mentions: [ben] };
    await expect(sendMessage(table, deployment.agents, id, said, now)).rejects.toMatchObject({ path: 'mentions.0' });
    await expect(offerOwnership(table, { conversationId: id, by: owner }, ben)).rejects.toMatchObject({ path: 'user' });
    expect(await listInvitations(table, ben)).toEqual([
      { conversationId: id, by: owner, role: 'member', at: expect.any(String) },
    ]);
    await acceptInvitation(table, { conversationId: id, by: ben }, now);
    await acceptInvitation(table, { conversationId: id, by: ben }, now);
    for (const one of [id, `${id}f`]) expect((await viewConversation(table, one, ben)).role).toBe('member');
    expect([await listInvitations(table, ben), (await readSharedWith(table, ben)).sort()]).toEqual([
      [],
      [id, `${id}f`],
    ]);
  });

  test.each<[string, (id: string, user: string) => Promise<unknown>]>([
    ['is declined', (id, user) => removeMember(table, { conversationId: id, by: user }, nameOf(user), now)],
    ['is taken back', (id, user) => removeMember(table, { conversationId: id, by: 'ada' }, nameOf(user), now)],
    ['leads to what is deleted', (id) => markDeleted(table, id, 'ada', now)],
  ])('an invitation that %s is gone, and cannot be accepted', async (_, end) => {
    const ben = someone();
    const id = await invited(ben);
    await end(id, ben);
    expect(await listInvitations(table, ben)).toEqual([]);
    await expect(acceptInvitation(table, { conversationId: id, by: ben }, now)).rejects.toMatchObject(noSuch);
    await expect(readMetaFor(table, id, ben)).rejects.toMatchObject(noSuch);
  });

  test('a stranger accepts nothing, nor who has asked by a link; a changed role is still an invitation', async () => {
    const ben = someone();
    const cleo = someone();
    const id = await invited(ben);
    const own = { conversationId: id, by: 'ada' };
    await expect(acceptInvitation(table, { conversationId: id, by: cleo }, now)).rejects.toMatchObject(noSuch);
    const { secret } = await makeLink(table, own, { role: 'member', lasts: 3_600 }, now);
    await joinByLink(table, { conversationId: id, by: cleo }, { secret }, now);
    await expect(acceptInvitation(table, { conversationId: id, by: cleo }, now)).rejects.toMatchObject(noSuch);
    // The owner lets in who has asked: both have agreed.
    await setMember(table, own, nameOf(cleo), { role: 'member' });
    expect((await readMetaFor(table, id, cleo)).conversationId).toBe(id);
    await setMember(table, own, nameOf(ben), { role: 'watcher' });
    expect(await listInvitations(table, ben)).toMatchObject([{ role: 'watcher' }]);
    await expect(readMetaFor(table, id, ben)).rejects.toMatchObject(noSuch);
  });

  test('only somebody who is in a group adds it, and its owner may change it later', async () => {
    const id = await invited(someone());
    const by = (person: Person) => ({ conversationId: id, by: person });
    await expect(setMember(table, by('ada'), 'group:sales', { role: 'member' })).rejects.toMatchObject({
      path: 'member',
      message: expect.stringContaining('only somebody who is in a group can add it'),
    });
    await setMember(table, by({ user: 'ada', groups: ['sales'] }), 'group:sales', { role: 'member' });
    await setMember(table, by('ada'), 'group:sales', { role: 'watcher' });
    expect((await readMetaFor(table, id, { user: someone(), groups: ['sales'] })).conversationId).toBe(id);
  });

  test('the invitations of who is ignored do not come; those who have accepted stay; 60 unanswered ones hide nothing', async () => {
    const ben = someone();
    const known = await invited(ben, 'mia');
    await acceptInvitation(table, { conversationId: known, by: ben }, now);
    await Promise.all(Array.from({ length: 60 }, () => invited(ben, 'eve')));
    const wanted = await invited(ben, 'mia');
    expect(await listInvitations(table, ben)).toHaveLength(50);
    expect(await readSharedWith(table, ben)).toEqual([known]);
    await setIgnored(table, ben, 'user:eve', true);
    await setIgnored(table, ben, 'user:eve', true);
    expect((await listInvitations(table, ben)).map(({ conversationId }) => conversationId)).toEqual([wanted]);
    await setIgnored(table, ben, 'user:eve', false);
    expect(await listInvitations(table, ben)).toHaveLength(50);
  });
});
