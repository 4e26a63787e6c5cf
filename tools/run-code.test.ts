import { runCode } from './run-code';

// The code is the model's, and the model reads what strangers write: it reaches nothing and stops in time.

/** Code that ends runs while the clock stands still: no machine is too slow for it. */
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

const run = (code: string) => runCode.execute({ code }, {} as Parameters<typeof runCode.execute>[1]);

test('R103 gives the value of the last expression and what was printed', async () => {
  expect(await run('console.log("interest", 1); const years = 2; 1000 * 1.05 ** years')).toEqual({
    value: 1102.5,
    printed: ['interest 1'],
  });
  expect(await run('({ a: [1, "two"] })')).toEqual({ value: { a: [1, 'two'] }, printed: [] });
});

test.each(['process', 'require', 'fetch', 'globalThis.process', 'setTimeout', 'XMLHttpRequest', 'WebAssembly'])(
  'R103 has no %s',
  async (name) => {
    expect(await run(`typeof ${name}`)).toMatchObject({ value: 'undefined' });
  },
);

test.each([['while (true) {}', 'It took longer than 3 seconds.']])(
  'R103 is told what is wrong with %s',
  async (code, reason) => {
    // Each look at the clock finds it a quarter of a second on.
    tick = 250;
    const begun = now;
    await expect(run(code)).rejects.toMatchObject({ name: 'TellModel', message: expect.stringContaining(reason) });
    expect(now - begun).toBeGreaterThan(3_000);
    expect(now - begun).toBeLessThan(4_000);
  },
);

test.each([
  ['let s = "x"; while (s.length < 1e6) s += s; const all = []; for (;;) all.push(s + all.length)', /memory/],
  ['(function again() { again(); })()', /stack/i],
  ['throw new Error("no")', 'Error: no'],
  ['import("fs")', /./],
  ['1 +', /SyntaxError/],
  ['"x".repeat(30000)', 'longer than 20000'],
])('R103 is told what is wrong with %s', async (code, reason) => {
  const outcome = await run(code).catch((error: Error) => error);
  if (code.startsWith('import')) return expect(JSON.stringify(outcome)).not.toContain('readFileSync');
  expect(outcome).toMatchObject({ name: 'TellModel' });
  expect((outcome as Error).message).toEqual(expect.stringMatching(reason));
});
