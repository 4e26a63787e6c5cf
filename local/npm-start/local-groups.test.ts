import { localGroups } from './local-groups';

test('the groups of the users are read, and a mistake is refused in one line (R147)', () => {
  expect(localGroups({})).toEqual({});
  expect(localGroups({ VIGIL_LOCAL_GROUPS: '{"grace": ["finance", "staff"]}' })).toEqual({
    grace: ['finance', 'staff'],
  });
  for (const wrong of ['grace=finance', '"grace"', 'null', '{"grace": "finance"}', '{"grace": ["two words"]}'])
    expect(() => localGroups({ VIGIL_LOCAL_GROUPS: wrong })).toThrow(/^VIGIL_LOCAL_GROUPS must be JSON .*\.$/);
});
