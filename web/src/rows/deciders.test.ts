import { assignees, deciderWords, hasApprovers, type Me, mayDecide, userFromToken } from './deciders';

const token = (claims: object) => `e.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const me = (claims: object): Me => userFromToken(token({ sub: 'ada', ...claims }));
const now = Date.parse('2026-12-01T12:00:00Z');
const finance = { approvers: { group: 'finance' } };

test('the owner decides, unless the tool names others (R147)', () => {
  expect(mayDecide({}, me({}), true, now)).toBe(true);
  expect(mayDecide({}, me({}), false, now)).toBe(false);
  expect(mayDecide(finance, me({}), true, now)).toBe(false);
  expect(mayDecide(finance, me({ 'cognito:groups': ['staff', 'finance'] }), false, now)).toBe(true);
});

test('an excluded owner does not decide, although a member (R147)', () => {
  const member = me({ 'cognito:groups': ['finance'] });
  expect(mayDecide({ ...finance, excludesOwner: true }, member, true, now)).toBe(false);
  expect(mayDecide({ ...finance, excludesOwner: true }, member, false, now)).toBe(true);
});

test('a claim must have the value (R147)', () => {
  const leads = { approvers: { claim: 'level', value: 'lead' } };
  expect(mayDecide(leads, me({ level: 'lead' }), false, now)).toBe(true);
  expect(mayDecide(leads, me({ level: 'senior' }), false, now)).toBe(false);
  expect([deciderWords(leads), deciderWords(finance), deciderWords({})]).toEqual(['level lead', 'finance', 'you']);
});

test('who decides in steps is who is due, others once it has escalated, and each person once (R252)', () => {
  const member = (...groups: string[]) => me({ 'cognito:groups': groups });
  const asked = {
    approvers: { group: 'finance' },
    steps: [
      { by: { group: 'finance' }, count: 2 },
      { by: { group: 'controllers' }, count: 1, escalatesTo: { group: 'cfo' }, escalatesAt: '2026-12-02T12:00:00Z' },
    ],
    dueStep: 1,
    decisions: [{ by: 'bob', at: '2026-12-01T11:00:00Z', approved: true, step: 0, inPlaceOf: 'carl' }],
  };
  const may = (groups: string[], at = now) => mayDecide(asked, member(...groups), false, at);
  expect([may(['finance']), may(['controllers']), may(['cfo']), may(['cfo'], now + 86_400_000)]).toEqual([
    false,
    true,
    false,
    true,
  ]);
  const bob = { ...member('controllers'), user: 'bob' };
  expect([mayDecide(asked, bob, false, now), mayDecide(asked, { ...bob, user: 'carl' }, false, now)]).toEqual([
    false,
    false,
  ]);
  expect([deciderWords(asked, now), deciderWords(asked, now + 86_400_000)]).toEqual([
    'controllers',
    'controllers or cfo',
  ]);
});

test('what only its owner decides is not assigned; the others can be who decide about one of it, once (R253)', () => {
  const base = { id: 'c', version: 1, runId: 'r', kind: 'approval', prompt: 'Well?', status: 'pending' } as const;
  const item = (more: object) => ({
    conversationId: 'one',
    owner: 'ada',
    callback: { ...base, expiresAt: '2026-12-02T12:00:00Z', ...more },
  });
  const chiefs = { escalatesTo: { group: 'chiefs' }, escalatesAt: '2026-12-01T13:00:00Z' };
  const escalating = { steps: [{ by: 'owner' as const, count: 1, ...chiefs }], dueStep: 0 };
  expect([{}, finance, escalating].map((one) => hasApprovers(one, now))).toEqual([false, true, false]);
  expect(hasApprovers(escalating, now + 3_600_000)).toBe(true);

  const people = ['ada', 'fay', 'fred'].map((user) => ({ user, groups: ['finance'], claims: {} }));
  const sam = { user: 'sam', groups: [], claims: {} };
  const offered = (...items: object[]) => assignees([...people, sam], items.map(item), now).map(({ user }) => user);
  const excludes = { ...finance, excludesOwner: true };
  const toFred = { ...finance, assigned: { to: 'fred', by: 'fay', at: '2026-12-01T11:00:00Z' } };
  expect(offered(finance)).toEqual(['ada', 'fay', 'fred']);
  expect(offered(excludes)).toEqual(['fay', 'fred']);
  expect(offered(toFred)).toEqual(['ada', 'fay']);
  expect(offered(toFred, excludes)).toEqual(['ada', 'fay', 'fred']);
});
