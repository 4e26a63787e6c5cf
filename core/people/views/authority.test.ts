import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { addMember } from '../../../test/support/add-member';
import { askedTool, caller, finance } from '../../../test/support/stories/deciders';
import { overtaken } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { defineAgent } from '../../conversations/agent/agent';
import { registry } from '../../conversations/agent/registry';
import { beAbsent, readStandIns } from '../../conversations/approvals/absence';
import type { SignInToken } from '../../conversations/approvals/grant';
import { grantWrite } from '../../conversations/approvals/grants-ended';
import { makeLink } from '../../conversations/members/links';
import { setMember } from '../../conversations/members/members';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta } from '../../conversations/store/table';
import { type EndsGrants, endAuthority, readAuthority } from './authority';

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
  const all = async (at = now) => {
    const first = await readAuthority(table, 'fay', at);
    const shared = [...first.shared];
    for (let { cursor } = first; cursor !== undefined; ) {
      const next = await readAuthority(table, 'fay', at, cursor);
      expect({ ...next, shared: [], cursor: undefined }).toEqual({
        standsInFor: [],
        approvals: [],
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
  expect(before).toMatchObject({ absence: { to: 'sam' } });
  expect(
    Object.fromEntries(before.shared.map((one) => [one.conversationId, [one.members.length, one.links.length]])),
  ).toEqual({
    'with-ben': [1, 0],
    invites: [1, 0],
    'with-a-link': [0, 1],
  });
  const ended: string[] = [];
  const ofModule: EndsGrants = async (_, user, { token: { id } }) => ended.push(`${user} ${id}`);
  for (let again = 0; again < 2; again++) {
    let cursor = await endAuthority(table, 'fay', by, [ofModule]);
    while (cursor !== undefined) cursor = await endAuthority(table, 'fay', by, [ofModule], cursor);
  }
  expect(ended).toEqual(['fay t1', 'fay t1']);
  expect(await all()).toMatchObject({ approvals: [], shared: [] });
  expect(await all()).not.toHaveProperty('absence');
  expect((await readMeta(table, 'with-ben'))!.members).toBeUndefined();
});

test('no token from before the end of all grants grants anything again, also if the end cannot be read (R195, R266)', async () => {
  const away = (user: string, at: SignInToken) =>
    beAbsent(
      table,
      registry([tester]),
      caller(user, ['finance']),
      { to: 'sam', from: now.toISOString(), until: later.toISOString() },
      now,
      at,
    );
  const refused = { name: 'WrongState', message: expect.stringContaining('Sign in again') };
  const next = { ...token, id: 't2', issuedAt: seconds + 1 };
  await endAuthority(table, 'gil', by, []);
  await expect(away('gil', token)).rejects.toMatchObject(refused);
  expect(await readAuthority(table, 'gil', now)).not.toHaveProperty('absence');
  await away('gil', next);
  const at = { pk: key.user('eve'), sk: key.grantsEnded };
  await table.client.send(new PutCommand({ TableName: table.name, Item: { ...at, version: 1, endedAt: 'x' } }));
  await expect(grantWrite(table, 'eve', next)).rejects.toMatchObject(refused);
  await endAuthority(table, 'eve', by, []);
  await grantWrite(table, 'eve', next);
});

test.each([1, 2, 3])(
  'somebody who is named while all grants end, at request %i, decides nothing (R195, R267)',
  async (nth) => {
    const user = `hal${nth}`;
    let requests = 0;
    const racing = overtaken(
      table,
      () => ++requests === nth,
      () => endAuthority(table, user, by, []),
    );
    const until = later.toISOString();
    const named = beAbsent(
      racing,
      registry([tester]),
      caller(user, ['finance']),
      { to: 'thief', from: now.toISOString(), until },
      now,
      token,
    );
    await expect(named).rejects.toMatchObject({ name: 'WrongState' });
    expect(requests).toBeGreaterThanOrEqual(nth);
    expect(await readStandIns(table, 'thief', now)).toEqual([]);
  },
);
