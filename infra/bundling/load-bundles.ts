import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { transform } from 'esbuild';
import { ConfigurationError } from '../../core/base/text/errors';
import { framesOf, isOfPackage } from '../../core/base/text/stack-frames';
import type { Load, Loaded } from './bundle-loader';
import { isCompiled } from './compiled';
import { pathInApp, root } from './entries';
import { digestOf, loadedBefore, remember } from './loaded-before';

export interface Bundle extends Load {
  /** The display name: `tool refund (tools/refund.ts)`. */
  name: string;
}

/** Much longer than any load takes on a busy machine. */
const longEnoughMs = 30_000;

/**
 * Loads each bundle once, in a thread, with the variables that its function will have. Skips bundles that have loaded
 * before and have not changed since.
 *
 * @throws ConfigurationError in one line, for the first bundle that does not load, with the place in its source.
 */
export async function loadBundles(bundles: Bundle[], patienceMs = longEnoughMs): Promise<void> {
  const known = await loadedBefore();
  const digests = await Promise.all(bundles.map(digestOf));
  const news = bundles.filter((_, index) => !known.has(digests[index]!));
  const failed = new Map<Bundle, Loaded>();
  for (let next = 0; next < news.length; ) {
    for (const answer of await load(news.slice(next), patienceMs)) {
      const bundle = news[next++]!;
      // The bundles share a thread. One that fails is loaded again alone, to rule out the others as the cause.
      const [alone] = answer.problem ? await load([bundle], patienceMs) : [];
      if (alone?.problem) failed.set(bundle, alone);
    }
  }
  const loaded = digests.filter((_, index) => !failed.has(bundles[index]!));
  if (news.length > failed.size) await remember(loaded, known);
  for (const [{ name }, answer] of failed) {
    const others = failed.size > 1 ? ` (1 of ${failed.size} that fail)` : '';
    throw new ConfigurationError(`${name} does not load: ${inOneLine(answer)}${others}`);
  }
}

/**
 * @returns one result per bundle, up to the first that ended the thread or did not finish.
 */
async function load(loads: Load[], patienceMs: number): Promise<Loaded[]> {
  const [code, isSource] = await loaderCode();
  const worker = new Worker(code, {
    eval: isSource,
    execArgv: [],
    env: {},
    stdout: true,
    stderr: true,
    workerData: loads.map(({ file, exports, variables, serves }): Load => ({ file, exports, variables, serves })),
  });
  const answers: Loaded[] = [];
  return new Promise((resolve) => {
    const end = (problem: Loaded) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(answers.length < loads.length ? [...answers, problem] : answers);
    };
    const late = () => end({ problem: `it does not finish: a file has an endless loop or a wait at its top level` });
    let timer = setTimeout(late, patienceMs);
    worker.on('message', (answer: Loaded) => {
      clearTimeout(timer);
      timer = setTimeout(late, patienceMs);
      if (answers.push(answer) === loads.length) end({});
    });
    worker.on('error', ({ name, message, stack }) => end({ problem: `${name}: ${message}`, stack }));
    worker.on('exit', (code) => end({ problem: `it ends the process with exit code ${code}` }));
  });
}

const ours = /(^|\/)(core|infra|lambdas|modules|runtime)\/(?:[\w-]+\/)*[\w-]+\.ts:|^\[worker eval\]/;

let compiled: Promise<string> | undefined;
/** Returns what a thread runs: the compiled file of a package, or the source, which is compiled once. */
async function loaderCode(): Promise<[code: string, isSource: boolean]> {
  const file = join(__dirname, `bundle-loader${extname(__filename)}`);
  if (isCompiled(file)) return [file, false];
  compiled ??= readFile(file, 'utf8')
    .then((source) => transform(source, { loader: 'ts', format: 'cjs', target: 'node20' }))
    .then(({ code }) => code);
  return [await compiled, true];
}

/** Names the author's own line rather than the line of a package or of Vigil that it calls. */
function inOneLine({ problem = '', stack = '' }: Loaded): string {
  const [first = ''] = problem.split('\n').filter((line) => line.trim());
  const line = /\.node\b|native build/i.test(problem) ? `${first} A native addon cannot be bundled.` : first;
  const frames = framesOf(stack);
  const own = frames.find((frame) => !isOfPackage(frame) && !ours.test(frame));
  // A definition that is refused says what it is about.
  const place = own ?? (/^\w*Error: /.test(line) ? frames[0] : undefined);
  return place ? `${line} (${placeOf(place)})` : line;
}

/** Returns the file and the line. The paths of a map begin at the app's folder, at Vigil's, or at a folder that both are in. */
function placeOf(frame: string): string {
  // The column is dropped, because it is that of the bundled definition.
  const [, file = '', line] = /^(.*):(\d+):\d+$/.exec(frame) ?? [];
  const folder = [...upFrom(process.cwd()), root].find((one) => existsSync(resolve(one, file)));
  return `${folder === undefined ? file : pathInApp(resolve(folder, file))}:${line}`;
}

const upFrom = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...upFrom(dirname(folder))];
