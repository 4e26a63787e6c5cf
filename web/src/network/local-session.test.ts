import { localSession } from './local-session';

const kept: Record<string, string> = {};
const posted = () => jest.mocked(fetch).mock.calls.map(([, init]) => JSON.parse(String(init?.body)));

beforeEach(() => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ token: 'good' }));
  Object.assign(globalThis, { localStorage: { getItem: (key: string) => kept[key] ?? null } });
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const key of Object.keys(kept)) delete kept[key];
});

test('parallel requests for a token share one renewal', async () => {
  const session = localSession();
  expect(await Promise.all([session.token(), session.token(), session.token()])).toEqual(['good', 'good', 'good']);
  expect(fetch).toHaveBeenCalledTimes(1);
  await session.renew();
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a token has the groups and claims of the person whom the browser remembers, or the address names (R124)', async () => {
  const fay = { name: 'fay', groups: ['finance'], claims: { team: 'treasury' } };
  Object.assign(kept, { 'vigil.people': JSON.stringify([fay]), 'vigil.user': 'fay' });
  await localSession().token();
  const named = localSession('grace');
  await named.token();
  expect(posted()).toEqual([
    { user: 'fay', groups: ['finance'], claims: { team: 'treasury' } },
    { user: 'grace', groups: [], claims: {} },
  ]);
  expect(named.people).toBeUndefined();
});

test('a removed person who is remembered is ada, and one whom the address names is an error', () => {
  kept['vigil.user'] = 'fay';
  expect(localSession().user).toBe('ada');
  expect(() => localSession('fay')).toThrow('This browser has no person fay.');
});
