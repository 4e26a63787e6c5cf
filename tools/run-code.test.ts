import { pictureJob } from '../infra/bundling/entries';
import { mediaTypeOf } from '../runtime/file-type';
import { bundled } from '../test/support/clouds/bundled';
import { isLong, longTest, someOf } from '../test/support/long';
import { evaluate } from './run-code';

// The model writes the code and reads untrusted text, so the code must reach nothing and stop in time.

/** Code that ends runs with a stopped clock, so a slow machine does not fail the test. */
let now = 0;
let tick = 0;
beforeEach(() => {
  tick = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += tick;
    return now;
  });
});
afterEach(() => jest.restoreAllMocks());

test('gives the value of the last expression and what was printed (R103)', async () => {
  expect(await evaluate('console.log("interest", 1); const years = 2; 1000 * 1.05 ** years')).toEqual({
    value: 1102.5,
    printed: ['interest 1'],
    saved: [],
  });
  expect(await evaluate('({ a: [1, "two"] })')).toEqual({ value: { a: [1, 'two'] }, printed: [], saved: [] });
});

test.each(['process', 'require', 'fetch', 'globalThis.process', 'setTimeout', 'XMLHttpRequest', 'WebAssembly'])(
  'has no %s (R103)',
  async (name) => {
    expect(await evaluate(`typeof ${name}`)).toMatchObject({ value: 'undefined' });
  },
);

test.each([['while (true) {}', 'It took longer than 3 seconds.']])(
  'reports what is wrong with %s (R103)',
  async (code, reason) => {
    // Each read of the clock advances it by a quarter of a second.
    tick = 250;
    const begun = now;
    await expect(evaluate(code)).rejects.toMatchObject({ name: 'TellModel', message: expect.stringContaining(reason) });
    expect(now - begun).toBeGreaterThan(3_000);
    expect(now - begun).toBeLessThan(4_000);
  },
);

const mistakes: [string, string | RegExp][] = [
  ['(function again() { again(); })()', /stack/i],
  ['throw new Error("no")', 'Error: no'],
  ['import("fs")', /./],
  ['1 +', /SyntaxError/],
  ['"x".repeat(30000)', 'longer than 20000 bytes'],
];
/** It moves much memory, which is expensive in a process that has run many tests. */
const fillsMemory: [string, RegExp] = ['const all = []; for (;;) all.push(new Uint8Array(1e6))', /memory/];

test.each(isLong ? [...mistakes, fillsMemory] : mistakes)(
  'is told what is wrong with %s (R103)',
  async (code, reason) => {
    const outcome = await evaluate(code).catch((error: Error) => error);
    if (code.startsWith('import')) return expect(JSON.stringify(outcome)).not.toContain('readFileSync');
    expect(outcome).toMatchObject({ name: 'TellModel' });
    expect((outcome as Error).message).toEqual(expect.stringMatching(reason));
  },
);

describe('in a child process', () => {
  const { exports, remove } = bundled<typeof import('./run-code')>('tools/run-code.ts');
  const { run } = exports;
  beforeEach(() => jest.restoreAllMocks());
  afterAll(remove);

  test('gives the value or the error of the code (R103)', async () => {
    expect(await run('console.log("a"); 6 * 7', 20_000)).toEqual({ value: 42, printed: ['a'], saved: [] });
    await expect(run('throw new Error("no")', 20_000)).rejects.toMatchObject({
      name: 'TellModel',
      message: expect.stringContaining('Error: no'),
    });
  });

  // Each keeps one function of the interpreter busy, in which it does not ask whether it may go on.
  test.each(
    someOf([
      'const a = []; a[4294967294] = 1; a.indexOf(2)',
      'const a = []; a.length = 4294967295; a.lastIndexOf(1)',
      'const a = { length: 2 ** 53 - 1 }; Array.prototype.includes.call(a, 1)',
      'Array.prototype.join.call({ length: 2 ** 32 }, "")',
      '/^(a+)+$/.test("a".repeat(60) + "b")',
      'const b = 3n ** 2000000n; String(b * b)',
      'try { let s = "x"; for (;;) s += s; } finally { while (true) {} }',
      'const deep = (n) => (n ? [deep(n - 1)] : 0); JSON.stringify(Array(1e6).fill(deep(100)))',
      'new Proxy({}, { get: (target, key, self) => self[key] }).a',
    ]),
  )('%s ends at its deadline, and the model is told (R150)', async (code) => {
    await expect(run(code, 300)).rejects.toMatchObject({
      name: 'TellModel',
      message: expect.stringMatching(/longer than 3 seconds|memory|stack|RangeError/),
    });
  });
});

test('what is given is bounded in bytes of JSON, whatever it escapes to (R150)', async () => {
  await expect(evaluate('String.fromCharCode(1).repeat(19000)')).rejects.toThrow('longer than 20000 bytes');
  const { printed } = await evaluate('for (let n = 0; n < 2000; n++) console.log("€".repeat(10))');
  expect(Buffer.byteLength(JSON.stringify(printed))).toBeLessThan(22_000);
});

describe('what the code saves (R213)', () => {
  const context = { callId: 'c', attempt: 1, now: new Date(0), timeZone: 'UTC', secrets: {}, variables: {} } as never;
  const { exports, remove } = bundled<typeof import('./run-code')>('tools/run-code.ts', pictureJob);
  beforeEach(() => jest.restoreAllMocks());
  afterAll(remove);
  const filesOf = async (code: string) => (await exports.runCode.execute({ code }, context)).files ?? [];
  const drawing = (attributes: string, inner = '') =>
    `savePicture("chart", '<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>')`;
  /** Width and height stand behind the mark and the name of the first chunk. */
  const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)];

  test('is a picture of its drawing, the same bytes each time, beside the value and other files', async () => {
    const code = `
      const bars = [3, 1, 2].map((n, at) => '<rect x="' + at * 30 + '" y="' + (90 - n * 30) + '" width="20" height="' + n * 30 + '"/>');
      savePicture("sales.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90">' + bars.join("") + '<text y="20">Żółć Ελλάδα Привет</text></svg>');
      saveFile("sales.csv", "day,sales\\n1,3\\n");
      bars.length`;
    const result = await exports.runCode.execute({ code }, context);
    expect(result).toMatchObject({ value: 3, printed: [] });
    const [picture, table] = result.files as { data: string; mediaType: string; filename: string }[];
    expect(picture).toMatchObject({ type: 'file', mediaType: 'image/png', filename: 'sales.png' });
    const bytes = Buffer.from(picture!.data, 'base64');
    expect(await mediaTypeOf(bytes, 'text/plain')).toBe('image/png');
    expect(sizeOf(bytes)).toEqual([120, 90]);
    expect(table).toEqual({
      type: 'file',
      mediaType: 'text/csv',
      filename: 'sales.csv',
      data: Buffer.from('day,sales\n1,3\n').toString('base64'),
    });
    expect(await filesOf(code)).toEqual(result.files);
  });

  longTest('has the letters of Latin, Greek and Cyrillic, in any font that it names', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30" font-family="Comic Sans"><text y="20">';
    const texts = ['', '\u4e2d', '\u0141', '\u03a9', '\u0416'];
    const code = `for (const text of ${JSON.stringify(texts)}) savePicture('of ' + text.length + text.codePointAt(0), '${svg}' + text + '</text></svg>')`;
    const pictures = (await filesOf(code)).map((file) => ('data' in file ? file.data : ''));
    expect(new Set(pictures).size).toBe(texts.length);
  });

  test('opens no address and no file', async () => {
    const images = ['https://example.com/a.png', 'file:///etc/hostname', '/etc/hostname'];
    const inner = images.map((href) => `<image href="${href}" width="9" height="9"/>`).join('');
    const size = 'width="20" height="20"';
    expect(await filesOf(drawing(size, inner))).toEqual(await filesOf(drawing(size)));
  });

  test.each([
    [drawing('width="2001" height="10"'), 'chart.png: the drawing has 2001 × 10 pixels, and at most 2000 × 2000'],
    [drawing('width="1e9" height="1e9"'), 'at most 2000 × 2000 are drawn. Set width and height of its svg element.'],
    ['savePicture("chart.png", "<p>no</p>")', 'chart.png: the drawing is no SVG: '],
    [
      drawing(
        'width="20" height="20"',
        '<filter id="f"><feOffset dx="1e38"/></filter><g filter="url(#f)"><rect width="9" height="9"/></g>',
      ),
      'chart.png: the drawing cannot be drawn. ',
    ],
  ])('%s: the model is told', async (code, words) => {
    await expect(filesOf(code)).rejects.toMatchObject({ name: 'TellModel', message: expect.stringContaining(words) });
  });

  test.each([
    ['savePicture("chart.png", "")', 'savePicture: the second argument is the file’s text'],
    ['saveFile("a.exe", "x")', 'saveFile: end the name with .csv, .tsv, '],
    ['saveFile("../a.csv", "x")', 'saveFile: the first argument is the file’s name'],
    ['saveFile("a.csv")', 'saveFile: the second argument is the file’s text'],
    ['saveFile("a.txt", "x".repeat(2000001))', 'The files have 2000001 bytes, and one run saves at most 2000000.'],
    ['for (let n = 0; n < 11; n++) saveFile(n + ".txt", "x")', 'One run saves at most 10 files.'],
  ])('%s: the code is told, which may do otherwise', async (code, words) => {
    await expect(evaluate(code)).rejects.toMatchObject({ name: 'TellModel', message: expect.stringContaining(words) });
    const told = await evaluate(`try { ${code} } catch ({ message }) { message }`);
    expect(told).toMatchObject({ value: expect.stringContaining(words) });
  });

  test('is not what was too much, where the code continues', async () => {
    const many = 'for (let n = 0; n < 30; n++) try { saveFile(n + ".txt", "x") } catch {}';
    expect((await evaluate(many)).saved).toHaveLength(10);
    const large = 'saveFile("a.txt", "x"); try { saveFile("a.txt", "x".repeat(2000001)) } catch {}';
    expect((await evaluate(large)).saved).toMatchObject([{ text: 'x' }]);
  });

  longTest('is the last of one name', async () => {
    const { saved } = await evaluate('saveFile("a.txt", "x"); saveFile("b.md", "y"); saveFile("a.txt", "z")');
    expect(saved).toMatchObject([
      { name: 'a.txt', text: 'z' },
      { name: 'b.md', mediaType: 'text/markdown' },
    ]);
  });

  longTest('is drawn in bounded time and memory', async () => {
    const filters = Array(30).fill('<feGaussianBlur stdDeviation="300"/><feMorphology radius="900"/>').join('');
    const shapes = `<filter id="f">${filters}</filter><rect width="2000" height="2000" filter="url(#f)"/>`;
    const slow = drawing('width="2000" height="2000"', shapes.repeat(20));
    await expect(filesOf(slow)).rejects.toMatchObject({ message: expect.stringMatching(/^A drawing (takes|needs)/) });
  });
});
