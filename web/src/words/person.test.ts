import { personName } from './person';

test.each([
  ['161ce2d6-c94e-5370-ae8d-e4ef61181c56', undefined, 'user 161ce2d6'],
  ['161ce2d6-c94e-5370-ae8d-e4ef61181c56', 'Grace Hopper', 'Grace Hopper'],
  ['auth0|65f0c0ffee65f0c0ffee65f0', undefined, 'user 65f0c0ff'],
  ['grace', undefined, 'grace'],
  ['grace.hopper.of.arlington@example.com', undefined, 'grace.hopper.of.arlington@example.com'],
])('%s with the name %s is shown as %s (R254)', (user, name, shown) => {
  expect(personName(user, name)).toBe(shown);
});
