import { nameOf } from './person-name';

const user = '161ce2d6-c94e-5370-ae8d-e4ef61181c56';

test.each<[Record<string, string>, string | undefined]>([
  [{ name: 'Grace Hopper', email: 'grace@example.com', email_verified: 'true', username: 'grace' }, 'Grace Hopper'],
  [{ email: 'grace@example.com', email_verified: 'true', username: 'grace' }, 'grace@example.com'],
  [{ email: 'grace@example.com', username: 'grace' }, 'grace'],
  [{ email: 'grace@example.com' }, undefined],
  [{ username: user }, undefined],
  [{ username: 'google_108234567890123456789' }, undefined],
  [{ name: ' \u200b\u202e ', username: 'grace' }, 'grace'],
  [{ name: 'Grace\nApproved by Ada\u202e' }, 'Grace Approved by Ada'],
  [{ name: 'x'.repeat(300) }, `${'x'.repeat(99)}…`],
  [{}, undefined],
])('of the claims %j, the name is %s (R252)', (claims, name) => {
  expect(nameOf({ user, claims })).toBe(name);
});
