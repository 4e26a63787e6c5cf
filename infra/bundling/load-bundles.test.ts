import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from 'esbuild';
import { type Bundle, loadBundles } from './load-bundles';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-loads-')));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
/** A bundle that no earlier run has loaded. */
function bundleOf(source: string, variables: Record<string, string> = {}, sourcefile = '../shared/orders.ts'): Bundle {
  const file = join(folder, `${made++}.js`);
  const { code, map } = transformSync(`${source}\n// ${folder}`, {
    loader: 'ts',
    format: 'cjs',
    sourcefile,
    sourcemap: 'external',
  });
  writeFileSync(file, code);
  writeFileSync(`${file}.map`, map);
  return { name: 'tool refund (tools/refund.ts)', file, exports: 'handler', variables };
}

const good = 'exports.handler = () => undefined;';

test('bundles that load pass, each with the variables of its function and none of the others (R125)', async () => {
  const expects = (wanted: string) =>
    `if (JSON.stringify(process.env) !== '${wanted}' || globalThis.left) throw new Error('not its own');
     globalThis.left = true; setInterval(() => 0, 1_000); ${good}`;
  await loadBundles([
    bundleOf(expects('{"A":"1"}'), { A: '1' }),
    bundleOf(expects('{"B":"2"}'), { B: '2' }),
    { ...bundleOf('exports.shipped = {};'), exports: 'shipped' },
  ]);
});

test.each([
  ['throws', `\n\nundefined.total; ${good}`, "TypeError: Cannot read properties of undefined (reading 'total')"],
  ['rejects a promise', `\n\nPromise.reject(new Error('gone')); ${good}`, 'Error: gone'],
  ['ends the process', `\n\nprocess.exit(3); ${good}`, 'Error: it calls process.exit(3)'],
])('one that %s is refused with its error and the line in its source (R125)', async (_, source, problem) => {
  await expect(loadBundles([bundleOf(good), bundleOf(source), bundleOf(good)])).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: `tool refund (tools/refund.ts) does not load: ${problem} (shared/orders.ts:3)`,
  });
});

test('the line is of a path that exists, relative to the folder of the app or absolute (R125)', async () => {
  const orders = join(folder, 'app/shared/orders.ts');
  mkdirSync(dirname(orders), { recursive: true });
  writeFileSync(orders, '');
  // As seen from a bundle that is not in the app's folder.
  const bundle = bundleOf(`\n\nundefined.total; ${good}`, {}, `../../..${orders}`);
  const here = process.cwd();
  try {
    await expect(loadBundles([bundle])).rejects.toThrow(`(${orders}:3)`);
    process.chdir(join(folder, 'app'));
    await expect(loadBundles([bundle])).rejects.toThrow('(shared/orders.ts:3)');
  } finally {
    process.chdir(here);
  }
});

test('a list of agents that Vigil writes is in no file, and is not named as a place (R125)', async () => {
  const refused = `throw Object.assign(new Error('agent a: there are two'), { name: 'ConfigurationError' });`;
  const bundle = bundleOf(refused, {}, 'agents:/app/agents/index.ts');
  await expect(loadBundles([bundle])).rejects.toThrow(/: agent a: there are two$/);
});

test.each([
  ['no handler', 'exports.handle = () => undefined;', 'it exports no function "handler"'],
  ['a handler that is no function', 'exports.handler = {};', 'it exports no function "handler"'],
  ['an error without words', 'throw "x";', 'it throws x'],
])('one with %s is refused (R125)', async (_, source, problem) => {
  await expect(loadBundles([bundleOf(source)])).rejects.toThrow(
    `tool refund (tools/refund.ts) does not load: ${problem}`,
  );
});

test.each<[string, string, string | undefined]>([
  ['its file’s own tool', "exports.refund = serve('refund'); exports.handler = made(exports.refund);", undefined],
  [
    'another tool',
    "exports.refund = serve('refund'); exports.handler = made(serve('pay'));",
    'its handler serves pay, not refund',
  ],
  [
    'a tool that the file does not export',
    "exports.refund = serve('refund'); exports.handler = made(serve('refund'));",
    'serves a tool that the file does not export',
  ],
  ['nothing that the build knows', good, 'its handler is not what serveTool, serveIsolated or serveMcp returns'],
  [
    'a tool with other rules than that of the agents',
    "exports.refund = { ...serve('refund'), effect: 'read' }; exports.handler = made(exports.refund);",
    'agents use another tool with the name refund: import it from this file',
  ],
])('a handler that serves %s (R193)', async (_, source, problem) => {
  const made = `const serve = (name) => ({ name, description: 'd', effect: 'once', timeoutSeconds: 30 });
    const made = (served) => Object.defineProperty(() => 1, Symbol.for('vigil.serves'), { value: served });`;
  const definition = JSON.stringify(['d', 'once', null, 30]);
  const loading = loadBundles([{ ...bundleOf(`${made}${source}`), serves: { name: 'refund', definition } }]);
  if (problem === undefined) await expect(loading).resolves.toBeUndefined();
  else await expect(loading).rejects.toThrow(problem);
});

test('one that never finishes is refused (R125)', async () => {
  await expect(loadBundles([bundleOf(`for (;;); ${good}`)], 500)).rejects.toThrow(
    'does not load: it does not finish: a file has an endless loop or a wait at its top level',
  );
});

test('when several fail, the first is reported, and how many there are (R125)', async () => {
  await expect(loadBundles([bundleOf('a.b;'), bundleOf('c.d;')])).rejects.toThrow(
    /^tool refund .* ReferenceError: a is not defined \(shared\/orders\.ts:1\) \(1 of 2 that fail\)$/,
  );
});
