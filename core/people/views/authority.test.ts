import { addMember } from '../../../test/support/add-member';
import { askedTool, caller, finance } from '../../../test/support/stories/deciders';
import { tableOfTests } from '../../../test/support/tables/table';
import { defineAgent } from '../../conversations/agent/agent';
import { registry } from '../../conversations/agent/registry';
import { beAbsent } from '../../conversations/approvals/absence';
import { makeLink } from '../../conversations/members/links';
import { setMember } from '../../conversations/members/members';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta } from '../../conversations/store/table';
import { addDevice } from '../notices/reach';
import { endAuthority, readAuthority } from './authority';

const table = tableOfTests();
const tester = defineAgent({
  name: 'tester',
  purpose: 'p',
  instructions: 'i',
  model: 'm',
  tools: [askedTool('one', { approvers: finance })],
});
const now = new Date('2027-03-01T08:00:00.000Z');
const later = new Date('2027-03-05T08:00:00.000Z');
const seconds = Math.floor(now.getTime() / 1_000);
const token = { id: 't1', signIn: 's1', issuedAt: seconds, until: seconds + 900 };
const by = { token, now };

test('who may do what for a user is in one place, and ends at once (R267)', async () => {
  const fay = caller('fay', ['finance']);
  const own = { by: 'fay' };
  const talk = async (id: string) => createConversation(table, { id, user: 'fay', agent: 'tester', text: id }, now);
  for (let index = 0; index < 60; index++) await talk(`alone${index}`);
  for (const id of ['with-ben', 'with-a-link', 'invites']) await talk(id);
  await addMember(table, { conversationId: 'with-ben', ...own }, 'user:ben', { role: 'member', name: 'Ben' });
  await setMember(table, { conversationId: 'invites', ...own }, 'user:cleo', { role: 'watcher' });
  await makeLink(table, { conversationId: 'with-a-link', ...own }, { role: 'member', lasts: 3_600 }, now);
  await beAbsent(
    table,
    registry([tester]),
    fay,
    { to: 'sam', from: now.toISOString(), until: later.toISOString() },
    now,
  );
  const device = { id: 'd1', endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a', addedAt: now.toISOString() };
  await addDevice(table, 'fay', device, by);
  const all = async (at = now) => {
    const first = await readAuthority(table, 'fay', at);
    const shared = [...first.shared];
    for (let { cursor } = first; cursor !== undefined; ) {
      const next = await readAuthority(table, 'fay', at, cursor);
      expect({ ...next, shared: [], cursor: undefined }).toEqual({
        standsInFor: [],
        approvals: [],
        devices: [],
        ignored: [],
        shared: [],
        cursor: undefined,
      });
      shared.push(...next.shared);
      cursor = next.cursor;
    }
    return { ...first, shared };
  };
  const before = await all();
  expect(before).toMatchObject({ absence: { to: 'sam' }, devices: [{ id: 'd1' }] });
  expect(
    Object.fromEntries(before.shared.map((one) => [one.conversationId, [one.members.length, one.links.length]])),
  ).toEqual({
    'with-ben': [1, 0],
    invites: [1, 0],
    'with-a-link': [0, 1],
  });
  for (let again = 0; again < 2; again++) {
    let cursor = await endAuthority(table, 'fay', by);
    while (cursor !== undefined) cursor = await endAuthority(table, 'fay', by, cursor);
  }
  expect(await all()).toMatchObject({ approvals: [], devices: [], shared: [] });
  expect(await all()).not.toHaveProperty('absence');
  expect((await readMeta(table, 'with-ben'))!.members).toBeUndefined();
});
