import { urlIn } from './web-address';

test('an address with a letter such as ü is one, however often it is asked (R123)', () => {
  const hosts = new Set<string | undefined>();
  for (let time = 0; time < 20_000; time++) hosts.add(urlIn('https://münchen.example/')?.hostname);
  expect([...hosts]).toEqual(['xn--mnchen-3ya.example']);
  expect(urlIn('/page', 'https://a.example/')?.href).toBe('https://a.example/page');
  expect(urlIn('no address')).toBeUndefined();
});
