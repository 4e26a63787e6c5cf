import { type Random, randomOf } from './explore/random';
import { bundled } from './support/clouds/bundled';

// 100 programs and 100 pages that are made to be slow or large. Each ends: with a result, or with words for the model.

const code = bundled<typeof import('../tools/run-code')>('tools/run-code.ts');
const pages = bundled<typeof import('../tools/web/pages/read-page')>('tools/web/pages/read-page.ts');
afterAll(() => {
  code.remove();
  pages.remove();
});

jest.setTimeout(600_000);
const each = 100;
const deadlineMs = 250;

/** Runs `one` for each seed, a few at a time. Returns what was neither a result nor words for the model. */
async function unexpected(one: (seed: number) => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  let next = 1;
  const work = async () => {
    while (next <= each) {
      const seed = next++;
      await one(seed).catch((error: Error) => error.name === 'TellModel' || found.push(`seed ${seed}: ${error.stack}`));
    }
  };
  await Promise.all([work(), work(), work()]);
  return found;
}

function program(random: Random): string {
  const size = random.pick(['2 ** 16', '2 ** 24', '2 ** 31', '2 ** 32 - 1', '2 ** 53 - 1']);
  const like = random.pick([`{ length: ${size} }`, '"ab".repeat(1e6)', '[..."ab".repeat(1e5)]', 'new Array(2 ** 20)']);
  const method = random.pick([
    'indexOf',
    'lastIndexOf',
    'includes',
    'join',
    'fill',
    'sort',
    'reverse',
    'map',
    'flat',
    'concat',
  ]);
  const body = random.pick([
    `Array.prototype.${method}.call(${like}, 1)`,
    `const a = []; a[${size} - 2] = 1; a.${method}(2)`,
    `/(a|a?)+$/.test("a".repeat(${10 + random.below(60)}) + "b")`,
    `String(${2 + random.below(9)}n ** ${10 ** (2 + random.below(6))}n)`,
    `JSON.stringify(Array(${10 ** (2 + random.below(6))}).fill("\\u0001"))`,
    `let s = "x"; for (let n = 0; n < ${random.below(40)}; n++) s += s; s.split("").reverse().join("")`,
    `const o = {}; for (let n = 0; n < 1e${1 + random.below(7)}; n++) o["k" + n] = n; Object.keys(o).length`,
    `for (;;) console.log("${'€'.repeat(random.below(50))}")`,
    `const deep = (n) => n ? [deep(n - 1)] : 0; JSON.stringify(deep(${10 ** (1 + random.below(5))}))`,
    `new Proxy({}, { get: (t, k, r) => r[k] }).a`,
  ]);
  return random.chance(0.3) ? `try { ${body} } finally { while (true) {} }` : body;
}

test('100 hostile programs end (R150)', async () => {
  expect(await unexpected((seed) => code.exports.run(program(randomOf(seed)), deadlineMs))).toEqual([]);
});

function html(random: Random): string {
  const times = 10 ** (1 + random.below(5));
  const piece = () =>
    random.pick([
      '<!-- -->',
      '</',
      '<',
      '&nbsp;',
      '&#x200b;',
      '<p>',
      '<b><i><u>',
      '</div>',
      '<table><tr><td>',
      '<svg><![CDATA[',
      '<script>',
      '<style>a{}',
      `<a ${'b="c" '.repeat(random.below(50))}>`,
      '<p hidden>x</p>',
      '<![if',
      'word, word. ',
      '\u0000',
      '😀',
    ]);
  const parts = Array.from({ length: 1 + random.below(4) }, () => piece().repeat(Math.min(times, 4_000_000 / 20)));
  return random.chance(0.5) ? `<html><body>${parts.join('<p>')}</body></html>` : parts.join('');
}

test('100 hostile pages end (R150)', async () => {
  const read = (seed: number) =>
    pages.exports.readPage({ url: 'https://site.example/', type: 'text/html', text: html(randomOf(seed)) }, deadlineMs);
  expect(await unexpected(read)).toEqual([]);
});
