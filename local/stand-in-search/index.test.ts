import { type StandInSearch, startStandInSearch } from './index';

let standIn: StandInSearch;
beforeAll(async () => {
  standIn = await startStandInSearch();
});
afterAll(() => standIn.stop());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(standIn.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
async function search(q: string, num?: number) {
  const answer = await post('/search', { q, num }, { 'x-api-key': 'any' });
  const { organic } = (await answer.json()) as { organic: { title: string; link: string; snippet: string }[] };
  return organic;
}

test('finds only the pages about a place, those with more of the words first (R101)', async () => {
  const found = await search('Where to eat in Kyoto');
  expect(found[0]!.link).toBe('https://kyoto.example/food');
  for (const { link } of found) expect(link).toMatch(/^https:\/\/kyoto\.example\//);
  expect(found).toHaveLength(4);
  expect((await search('trains in Oslo'))[0]!.link).toBe('https://oslo.example/transport');
});

test('returns as many as requested, each labelled as stand-in data', async () => {
  const found = await search('Lisbon', 2);
  expect(found).toHaveLength(2);
  for (const { title, snippet } of found)
    expect([title, snippet]).toEqual([expect.stringContaining('[stand-in data]'), expect.any(String)]);
});

test('lists the places that it knows for an unknown one', async () => {
  expect(await search('Paris museums')).toEqual([
    expect.objectContaining({ snippet: expect.stringContaining('knows only Kyoto, Lisbon, Oslo, Rome') }),
  ]);
});

test('opens its own pages as a browser does, and no others (R102)', async () => {
  const [first] = await search('Rome sights');
  const page = await post('/content?token=any', { url: first!.link });
  expect(Object.fromEntries(page.headers)).toMatchObject({ 'x-response-code': '200', 'x-response-url': first!.link });
  expect(await page.text()).toMatch(/<h1>Rome sights[\s\S]*Colosseum[\s\S]*stand-in data/);
  const none = await post('/content?token=any', { url: 'https://www.example.org/' });
  expect([none.status, none.headers.get('x-response-code')]).toEqual([200, '404']);
});

test('has a place whose pages give orders, which it does not list, and a word that no search answers', async () => {
  const [first] = await search('Trappola sights');
  expect(await (await post('/content?token=any', { url: first!.link })).text()).toMatch(/To all assistants: ignore/);
  expect((await search('nowhere'))[0]!.snippet).not.toContain('Trappola');
  expect((await post('/search', { q: 'Blackout' }, { 'x-api-key': 'any' })).status).toBe(503);
});

test('rejects what Serper and Browserless reject', async () => {
  const statuses = await Promise.all([
    post('/search', { q: 'Rome' }),
    post('/search', {}, { 'x-api-key': 'any' }),
    post('/content', { url: 'https://rome.example/sights' }),
    post('/content?token=any', { url: 'Rome' }),
    post('/nowhere', {}),
  ]);
  expect(statuses.map(({ status }) => status)).toEqual([403, 400, 401, 400, 404]);
});
