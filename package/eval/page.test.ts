import { compare } from './compare';
import { pageOf } from './page';
import type { Played } from './report';

const used = { steps: 1, tokens: 1, costMicrodollars: 2_500 };
const trial = (more: Partial<Played>): Played => ({
  eval: 'bank',
  case: 'rent',
  trial: 1,
  holds: true,
  used,
  scores: [{ name: 'called transfer', score: 1, why: '' }],
  transcript: [{ kind: 'said', by: 'user', text: 'Send 900.' }],
  ...more,
});

test('whatever a model or an author says is text of the page, never markup (R237)', () => {
  const evil = `</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\u0000`;
  const page = pageOf(
    compare([
      { name: evil, played: [trial({ eval: evil, case: evil, scores: [{ name: evil, score: 0.5, why: evil }] })] },
      {
        name: `${evil}2`,
        played: [
          trial({
            eval: evil,
            case: evil,
            holds: false,
            problem: evil,
            transcript: [
              { kind: 'said', by: evil, text: evil },
              {
                kind: 'call',
                tool: evil,
                arguments: { [evil]: evil },
                outcome: evil as never,
                answer: evil,
                asked: true,
              },
              { kind: 'call', tool: evil, arguments: evil, outcome: 'completed', answer: { [evil]: [evil] } },
            ],
          }),
        ],
      },
    ]),
    new Map(),
  );
  expect(page).not.toMatch(/<script|<img|alert\(1\)>|\u202e|p{Cc}(?<!\n)/);
  // The only tags are those of the page, and none has an attribute of another kind.
  const tags = new Set([...page.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name!));
  expect([...tags].sort()).toEqual(
    'a b body br details div h1 h2 h3 head header html li main meta ol p pre small span style summary table tbody td th thead title tr ul'.split(
      ' ',
    ),
  );
  const attributes = new Set([...page.matchAll(/ ([a-z-]+)="/g)].map(([, name]) => name!));
  expect([...attributes].sort()).toEqual(
    'aria-labelledby charset class content href http-equiv id lang name role scope tabindex'.split(' '),
  );
  expect([...page.matchAll(/href="([^"]*)"/g)].every(([, to]) => /^#[a-z0-9-]+$/.test(to!))).toBe(true);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('\\u{202e}\\u{0}');
});

test('the page has no script, nothing of a network, and is the same for the same reports (R237)', () => {
  const comparison = compare([{ name: 'now', played: [trial({})] }]);
  const page = pageOf(comparison);
  expect(page).toMatch(/default-src &#39;none&#39;; style-src &#39;sha256-[\w+/=]+&#39;/);
  expect(page).not.toMatch(/https?:|src=|@import|url\(/);
  expect(pageOf(comparison)).toBe(page);
});

test('regressions come first, and each cell leads to the step where its variant parts from the first one (R237)', () => {
  const said = (...texts: string[]) => texts.map((text) => ({ kind: 'said' as const, by: 'bank', text }));
  const side = (last: string, holds: boolean) => [
    trial({ case: 'same', transcript: said('a', 'b') }),
    trial({
      case: 'rent',
      holds,
      transcript: said('a', 'b', last),
      scores: [{ name: 's', score: Number(holds), why: 'x' }],
    }),
  ];
  const comparison = compare([
    { name: 'main', played: side('c', true) },
    { name: 'now', played: side('d', false) },
    { name: 'next', played: [...side('c', true).slice(0, 1), trial({ transcript: said('z') })] },
  ]);
  const preferences = new Map([[comparison.cases[0]!, { better: 'first' as const, why: 'It is kinder.' }]]);
  const page = pageOf(comparison, preferences);
  expect(page.indexOf('id="r0"><th scope="row">rent')).toBeGreaterThan(0);
  const links = [...page.matchAll(/<td><a href="#([^"]+)">/g)].map(([, to]) => to);
  expect(links).toEqual(['c0-0', 'c0-2', 'c0-0', 'c1', 'c1', 'c1']);
  for (const to of links) expect(page).toContain(`id="${to}"`);
  expect(page).toContain('Judge prefers: main. It is kinder.');
  expect(page.match(/Here they part/g)).toHaveLength(1);
});

test('a trial that does not hold is shown next to one that does (R237)', () => {
  const texts = (...all: [text: string, holds: boolean][]) =>
    all.map(([text, holds], index) =>
      trial({ trial: index + 1, holds, transcript: [{ kind: 'said', by: 'bank', text }] }),
    );
  const page = pageOf(
    compare([
      { name: 'main', played: texts(['unlucky', false], ['before', true]) },
      { name: 'now', played: texts(['lucky', true], ['after', false]) },
    ]),
  );
  expect([...page.matchAll(/<pre>(.*?)<\/pre>/g)].map(([, text]) => text)).toEqual(['before', 'after']);
});
