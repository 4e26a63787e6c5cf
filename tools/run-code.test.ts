import { bundled } from '../test/support/clouds/bundled';
import { isLong, someOf } from '../test/support/long';
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
  });
  expect(await evaluate('({ a: [1, "two"] })')).toEqual({ value: { a: [1, 'two'] }, printed: [] });
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

describe('in a thread of its own', () => {
  const { exports, remove } = bundled<typeof import('./run-code')>('tools/run-code.ts');
  const { run } = exports;
  beforeEach(() => jest.restoreAllMocks());
  afterAll(remove);

  test('gives the value or the error of the code (R103)', async () => {
    expect(await run('console.log("a"); 6 * 7', 20_000)).toEqual({ value: 42, printed: ['a'] });
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
    ]),
  )('%s ends at its deadline, and the model is told (R150)', async (code) => {
    await expect(run(code, 300)).rejects.toMatchObject({
      name: 'TellModel',
      message: expect.stringMatching(/longer than 3 seconds|memory|RangeError/),
    });
  });
});

test('what is given is bounded in bytes of JSON, whatever it escapes to (R150)', async () => {
  await expect(evaluate('String.fromCharCode(1).repeat(19000)')).rejects.toThrow('longer than 20000 bytes');
  const { printed } = await evaluate('for (let n = 0; n < 2000; n++) console.log("€".repeat(10))');
  expect(Buffer.byteLength(JSON.stringify(printed))).toBeLessThan(22_000);
});
