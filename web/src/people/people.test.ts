import { addressAs, firstPeople, isMade, keepPeople, keptPeople, memberships, peopleFrom } from './people';

const fay = { name: 'fay', groups: ['finance'], claims: { team: 'treasury' } };
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  };
  Object.assign(globalThis, { localStorage });
});

test('ada and grace are always there, and the made people come after them (R124)', () => {
  expect(keptPeople().map(({ name }) => name)).toEqual(['ada', 'grace']);
  keepPeople([...keptPeople(), fay]);
  expect(keptPeople()).toEqual([...firstPeople, fay]);
  expect(keptPeople().filter(isMade)).toEqual([fay]);
  keepPeople(firstPeople);
  expect(stored.size).toBe(0);
});

test.each([
  null,
  'no JSON',
  '{"name": "fay"}',
  '[null, "fay", {"name": "fay"}]',
  '[{"name": "fay", "groups": "finance", "claims": {}}]',
  '[{"name": "fay", "groups": [], "claims": {"team": 3}}]',
  '[{"name": "ada", "groups": ["finance"], "claims": {}}]',
])('what is no made person is left out: %s', (text) => expect(peopleFrom(text)).toEqual([]));

test('groups and claims are told in words', () => {
  expect(memberships(fay)).toBe('finance, team: treasury');
  expect(memberships(firstPeople[0]!)).toBe('');
});

test('an address names people, whatever their names have', () => {
  expect(addressAs('a+b@example.org', 'fay')).toBe('/?as=a%2Bb%40example.org&as=fay');
});
