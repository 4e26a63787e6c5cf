import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { transformSync } from 'esbuild';

/** The examples in the docstrings of the packages' public functions. */

export const root = join(__dirname, '../../..');
/** Below the repository's root, so that the packages are found by their names. */
export const folder = join(root, '.vigil/test/examples');

export interface PublicFunction {
  /** Where it is exported, and as what: `vigil: defineTool`. */
  names: string[];
  /** Relative to the root. */
  file: string;
  line: number;
  /** The docstrings of all its declarations. */
  docs: { file: string; line: number; doc: string }[];
}

export interface Example {
  file: string;
  /** The line of its first line of code. */
  line: number;
  language: 'ts' | 'tsx';
  code: string;
}

/** What is wrong, and where. */
export interface Problem {
  file: string;
  line: number;
  problem: string;
}

interface Manifest {
  name: string;
  exports: Record<string, string | null | Partial<Record<string, string>>>;
}

/** Returns the entries of all packages, and the source of each. The tools are all files that the pattern of their entry names. */
export function entries(): Record<string, string> {
  const found: Record<string, string> = {};
  const folders = readdirSync(join(root, 'packages'), { withFileTypes: true }).filter((one) => one.isDirectory());
  for (const place of ['', ...folders.map(({ name }) => `packages/${name}`)]) {
    const { name, exports } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')) as Manifest;
    for (const [path, entry] of Object.entries(exports)) {
      const file = typeof entry === 'string' ? entry : entry?.['vigil-source'];
      if (!file?.endsWith('.ts') || isInternal(name, path)) continue;
      for (const one of path.includes('*') ? toolFiles() : [''])
        found[path.replace('.', name).replace('*', one)] = join(place, file.replace('*', one));
    }
  }
  return found;
}

/** What the server and the page share with the client is nobody else's. */
const isInternal = (name: string, path: string): boolean => name === 'vigil-client' && path === './shared';

const toolFiles = (): string[] =>
  readdirSync(join(root, 'tools'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !/^bank[\\/]/.test(file))
    .map((file) => file.replace(/\.ts$/, '').replaceAll('\\', '/'));

/** Returns the functions and classes that entries export as values, as TypeScript's compiler finds them. */
export function publicFunctions(files: Record<string, string>): PublicFunction[] {
  const at = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(root, file)]));
  const configuration = writeConfiguration('entries', { files: Object.values(at), include: [] });
  const script = join(__dirname, 'public-functions.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, configuration, JSON.stringify(at)], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (!stdout) throw new Error(stderr);
  const named = <Found extends { file: string }>(one: Found): Found => ({ ...one, file: relative(root, one.file) });
  return (JSON.parse(stdout) as PublicFunction[]).map((one) => ({ ...named(one), docs: one.docs.map(named) }));
}

/** Writes a `tsconfig.json` as this repository's into a folder of the examples. Returns its path. */
export function writeConfiguration(name: string, { compilerOptions = {}, ...more }: Record<string, unknown>): string {
  const file = join(folder, name, 'tsconfig.json');
  mkdirSync(dirname(file), { recursive: true });
  const settings = { extends: '../../../../tsconfig.json', exclude: [], compilerOptions, ...more };
  writeFileSync(file, JSON.stringify(settings));
  return file;
}

/** Returns the examples in a docstring: the code blocks after `@example`. */
export function examplesIn({ file, line, doc }: PublicFunction['docs'][number]): Example[] {
  const lines = doc.split('\n').map((text) => text.replace(/^\s*\* ?/, ''));
  const found: Example[] = [];
  let isExample = false;
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.startsWith('@')) isExample = lines[at]!.startsWith('@example');
    const [, language] = /^```(tsx?)$/.exec(lines[at]!) ?? [];
    if (!isExample || !language) continue;
    const end = lines.indexOf('```', at);
    const code = lines.slice(at + 1, end).join('\n');
    found.push({ file, line: line + at + 1, language: language as Example['language'], code });
    at = end;
  }
  return found;
}

const check = /^(?=\S)(?:const (?<name>\w+)(?:: [^=]+)? = )?(?<expression>.*); \/\/ (?<kind>→|throws) (?<expected>.*)$/;
const looksLikeCheck = /\/\/ (?:→|throws )/;

/** Returns the code with its checks as calls, in the same lines. @throws Error for a line that looks like a check and is none. */
export function withChecks({ code, line }: Pick<Example, 'code' | 'line'>): string {
  return code
    .split('\n')
    .map((text, index) => {
      if (!looksLikeCheck.test(text)) return text;
      const { name, expression, kind, expected } = check.exec(text)?.groups ?? {};
      if (expression === undefined)
        throw new Error(`a check is one statement in one line at the outermost level, not: ${text.trim()}`);
      const at = line + index;
      if (kind === 'throws') return `await __throws(${at}, async () => (${expression}), ${JSON.stringify(expected)});`;
      const statement = text.slice(0, text.lastIndexOf(' // →'));
      const value = name ?? expression;
      return `${name ? statement : ''} await __equals(${at}, async () => (${value}), () => (${expected}));`;
    })
    .join('\n');
}

export const checksIn = ({ code }: Example): number =>
  code.split('\n').filter((line) => looksLikeCheck.test(line)).length;

/** Runs examples in one process, one after the other, from a folder. Returns what is wrong. */
export function run(examples: readonly Example[], cwd: string): Problem[] {
  const modules = join(folder, 'modules');
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(modules, { recursive: true });
  const problems = new Map<Example, Problem[]>();
  const built: { module: string; example: Example }[] = [];
  for (const [index, example] of examples.entries()) {
    const { file, line, language } = example;
    const module = join(modules, `${index}-${file.replace(/\W/g, '-')}.mjs`);
    try {
      const { code } = transformSync(withChecks(example), { loader: language, jsx: 'automatic', logLevel: 'silent' });
      writeFileSync(module, code);
      built.push({ module, example });
    } catch (error) {
      problems.set(example, [{ file, line, problem: (error as Error).message }]);
    }
  }
  const results = join(modules, 'results.jsonl');
  writeFileSync(results, '');
  const script = join(__dirname, 'run-examples.mjs');
  const temporary = mkdtempSync(join(tmpdir(), 'vigil-examples-'));
  const { stderr } = spawnSync(
    process.execPath,
    ['--conditions', 'vigil-source', '--import', 'tsx', script, results, ...built.map(({ module }) => module)],
    {
      cwd,
      env: environment(temporary),
      encoding: 'utf8',
      timeout: endsWithinMs,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  rmSync(temporary, { recursive: true, force: true, maxRetries: 20 });
  const ran = readFileSync(results, 'utf8').split('\n').filter(Boolean);
  for (const [index, { example }] of built.entries()) {
    const { file, line } = example;
    const said = ran[index] && (JSON.parse(ran[index]) as Omit<Problem, 'file'>[]);
    if (said)
      problems.set(
        example,
        said.map((one) => ({ file, line: one.line || line, problem: one.problem })),
      );
    else problems.set(example, [{ file, line, problem: `it did not end. ${stderr}` }]);
  }
  return examples.flatMap((example) => problems.get(example)!);
}

const endsWithinMs = 280_000;

/** Without Jest's variables and a developer's keys, and with a place for what examples leave. */
function environment(TMPDIR: string): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, TMPDIR, AWS_REGION: 'us-east-1', AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
}
