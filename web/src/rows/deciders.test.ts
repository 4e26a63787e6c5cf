import { deciderWords, type Me, mayDecide, userFromToken } from './deciders';

const token = (claims: object) => `e.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
const me = (claims: object): Me => userFromToken(token({ sub: 'ada', ...claims }));
const finance = { approvers: { group: 'finance' } };

test('the owner decides, unless the tool names others (R147)', () => {
  expect(mayDecide({}, me({}), true)).toBe(true);
  expect(mayDecide({}, me({}), false)).toBe(false);
  expect(mayDecide(finance, me({}), true)).toBe(false);
  expect(mayDecide(finance, me({ 'cognito:groups': ['staff', 'finance'] }), false)).toBe(true);
});

test('an excluded owner does not decide, although a member (R147)', () => {
  const member = me({ 'cognito:groups': ['finance'] });
  expect(mayDecide({ ...finance, excludesOwner: true }, member, true)).toBe(false);
  expect(mayDecide({ ...finance, excludesOwner: true }, member, false)).toBe(true);
});

test('a claim must have the value (R147)', () => {
  const leads = { approvers: { claim: 'level', value: 'lead' } };
  expect(mayDecide(leads, me({ level: 'lead' }), false)).toBe(true);
  expect(mayDecide(leads, me({ level: 'senior' }), false)).toBe(false);
  expect([deciderWords(leads), deciderWords(finance), deciderWords({})]).toEqual(['level lead', 'finance', 'you']);
});
