import { localSession } from './local-session';

test('parallel requests for a token share one renewal', async () => {
  jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ token: 'good' }));
  Object.assign(globalThis, { localStorage: { getItem: () => null } });
  const session = localSession();
  expect(await Promise.all([session.token(), session.token(), session.token()])).toEqual(['good', 'good', 'good']);
  expect(fetch).toHaveBeenCalledTimes(1);
  await session.renew();
  expect(fetch).toHaveBeenCalledTimes(2);
});
