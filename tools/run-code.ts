import { join } from 'node:path';
import variant from '@jitl/quickjs-singlefile-cjs-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';
import * as z from 'zod';
import type { InlineFile } from '../core/base/content/parts';
import { clip } from '../core/base/text/clip';
import { TellModel } from '../core/base/text/errors';
import { defineTool } from '../core/conversations/agent/tool';
import { fileOutput } from '../core/conversations/files/tool-files';
import { childJob, JobEnded } from '../runtime/child-job';
import type { Drawing } from '../runtime/draw-picture';
import { serveIsolated } from '../runtime/serve-isolated';

const memoryBytes = 64 * 1024 * 1024;
const stackBytes = 128 * 1024;
const timeMs = 3_000;
/** QuickJS stops at `timeMs`, but not within one of its own functions, such as a search. Its own start counts here, too. */
const deadlineMs = timeMs + 3_000;
const outputBytes = 20_000;
/** The files of one run. With them, the answer fits into Lambda's 6 MB. */
const mostFiles = 10;
const mostFileBytes = 2_000_000;
const drawingMs = 8_000;
const drawingMiB = 250;

export const runCode = defineTool({
  name: 'run_code',
  title: 'Calculate',
  description:
    'Runs JavaScript and returns the value of its last expression and what it printed with console.log. Use it for every calculation: ' +
    'you are not a calculator. savePicture("chart.png", svg) gives the user a PNG picture of SVG that the code has written, such as a ' +
    'chart, with its width and height in pixels. saveFile("table.csv", text) gives them a text file: .csv, .tsv, .txt, .md, .json, ' +
    '.xml or .ics. The code has no network, no other files, no modules or timers, and may run for 3 seconds.',
  input: z.object({ code: z.string().min(1).max(20_000).describe('For example: (1 + 0.05) ** 12 * 1000') }),
  output: z.object({ value: z.unknown(), printed: z.array(z.string()), files: z.array(fileOutput).optional() }),
  effect: 'read',
  timeoutSeconds: 20,
  memoryMiB: 512,
  isolated: true,
  // The interpreter's package could fetch, and nothing asks it to: the arguments stay here. What it makes of a stranger's words is not
  // their end: they count in the conversation as before, and a file has the sources of what its agent had read (`filesOf`).
  source: 'none',
  afterUntrusted: () => 'allow',
  async execute({ code }) {
    const { saved, ...evaluated } = await run(code, deadlineMs);
    return saved.length > 0 ? { ...evaluated, files: await filesOf(saved) } : evaluated;
  },
});

export interface Evaluated {
  value: unknown;
  printed: string[];
  /** What the code has saved: text, or SVG that becomes a picture. */
  saved: ({ name: string; mediaType: string; text: string } | Drawing)[];
}

const inChild = childJob({ file: __filename, name: 'run_code', heapMiB: 192, run: evaluate });

/**
 * Runs code in a child process, which is ended after `withinMs` milliseconds.
 *
 * @throws TellModel for whatever is wrong with the code. A timeout is an answer: another attempt would take as long.
 * @example
 * ```ts
 * import { run } from 'vigil/tools/run-code';
 *
 * await run('console.log("squares"); [1, 2, 3].map((n) => n * n)', 6_000); // → { value: [1, 4, 9], printed: ['squares'], saved: [] }
 * await run('fetch("https://example.com")', 6_000); // throws The code failed. ReferenceError
 * ```
 */
export async function run(code: string, withinMs: number): Promise<Evaluated> {
  try {
    return await inChild(code, withinMs);
  } catch (error) {
    const { name, message } = error as Error;
    if (error instanceof JobEnded)
      throw new TellModel(error.reason === 'deadline' ? tooLong : `The code failed. ${message}`);
    // Other errors are QuickJS's own, for example when the code has used up its memory.
    throw new TellModel(name === 'TellModel' ? message : `The code failed. ${name}: ${message}`);
  }
}

const draw = childJob<Drawing[], Uint8Array[]>({
  // `infra/bundling/bundle.ts` puts it beside the function's own.
  file: join(__dirname, 'draw-picture.js'),
  name: 'draw_picture',
  heapMiB: 96,
  growthMiB: drawingMiB,
});

/** @throws TellModel for drawings that cannot be drawn in time, and for files that are too large together. */
async function filesOf(saved: Evaluated['saved']): Promise<InlineFile[]> {
  const drawings = saved.filter((one) => 'svg' in one);
  const pictures = drawings.length > 0 ? await draw(drawings, drawingMs).catch(notDrawn) : [];
  const files = saved.map((one) => {
    const isText = 'text' in one;
    const bytes = isText ? Buffer.from(one.text) : Buffer.from(pictures[drawings.indexOf(one)]!);
    const mediaType = isText ? one.mediaType : 'image/png';
    return { type: 'file' as const, mediaType, filename: one.name, data: bytes.toString('base64'), size: bytes.length };
  });
  checkSize(files.reduce((sum, { size }) => sum + size, 0));
  return files.map(({ size, ...file }) => file);
}

function notDrawn(error: Error): never {
  if (!(error instanceof JobEnded)) throw error.name === 'TellModel' ? new TellModel(error.message) : error;
  const why = error.reason === 'deadline' ? `takes longer than ${drawingMs / 1_000} seconds` : 'needs too much memory';
  throw new TellModel(`A drawing ${why}. Draw less.`);
}

function checkSize(bytes: number): void {
  if (bytes > mostFileBytes)
    throw new TellModel(`The files have ${bytes} bytes, and one run saves at most ${mostFileBytes}. Save less.`);
}

const tooLong = `The code failed. It took longer than ${timeMs / 1_000} seconds.`;

/**
 * Runs the code in QuickJS, compiled to WebAssembly. The code can reach only the functions that it is given, so it has neither this
 * process's environment nor its permissions.
 *
 * @throws TellModel for whatever is wrong with the code.
 * @example
 * ```ts
 * import { evaluate } from 'vigil/tools/run-code';
 *
 * // In this process, which is busy meanwhile: `run` uses another one.
 * await evaluate('(1 + 0.05) ** 2 * 1000'); // → { value: 1102.5, printed: [], saved: [] }
 * await evaluate('typeof process'); // → { value: 'undefined', printed: [], saved: [] }
 * ```
 */
export async function evaluate(code: string): Promise<Evaluated> {
  const quickjs = await newQuickJSWASMModuleFromVariant(variant);
  // Set when the code starts. `performance.now()` does not follow the local cloud's clock.
  let end = Number.POSITIVE_INFINITY;
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: memoryBytes,
    maxStackSizeBytes: stackBytes,
    interruptHandler: () => performance.now() > end,
  });
  const context = runtime.newContext();
  const printed: string[] = [];
  let bytes = 0;
  const log = context.newFunction('log', (...parts) => {
    const line = parts.map((part) => asText(context.dump(part))).join(' ');
    bytes += bytesOf(line);
    if (bytes <= outputBytes) printed.push(line);
  });
  const console = context.newObject();
  context.setProp(console, 'log', log);
  context.setProp(context.global, 'console', console);
  const saving = new Saved();
  for (const name of ['saveFile', 'savePicture'] as const) {
    const save = context.newFunction(name, (...given) => saving[name](given.map((one) => context.dump(one))));
    context.setProp(context.global, name, save);
  }
  end = performance.now() + timeMs;
  const result = context.evalCode(code, 'code.js');
  if (result.error) throw new TellModel(`The code failed. ${reasonOf(context.dump(result.error))}`);
  const value = context.dump(result.value) as unknown;
  if (bytesOf(value) <= outputBytes) return { value: value ?? null, printed, saved: saving.all() };
  throw new TellModel(`The value is longer than ${outputBytes} bytes of JSON. Return less.`);
}

/** The types of files by the end of their names. RunIsolated checks that the text does not begin as another type does. */
const textTypes: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  md: 'text/markdown',
  json: 'application/json',
  xml: 'application/xml',
  ics: 'text/calendar',
};
const fileName = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._()-]{0,99}$/u;

/** What the code saves. Errors are thrown into the code, which may catch them. A name that is used again replaces its file. */
class Saved {
  private files = new Map<string, { bytes: number; file: Evaluated['saved'][number] }>();

  saveFile([name, text]: unknown[]): void {
    const given = checkedName('saveFile', name);
    const ending = /\.(\w+)$/.exec(given)?.[1]?.toLowerCase() ?? '';
    const mediaType = Object.hasOwn(textTypes, ending) ? textTypes[ending] : undefined;
    if (mediaType === undefined)
      throw new TypeError(
        `saveFile: end the name with ${Object.keys(textTypes)
          .map((one) => `.${one}`)
          .join(', ')}`,
      );
    const content = checkedText('saveFile', text);
    this.add(content, { name: given, mediaType, text: content });
  }

  savePicture([name, svg]: unknown[]): void {
    const given = checkedName('savePicture', name).replace(/\.(?:png|svg)$/i, '');
    const content = checkedText('savePicture', svg);
    this.add(content, { name: `${given}.png`, svg: content });
  }

  all(): Evaluated['saved'] {
    return [...this.files.values()].map(({ file }) => file);
  }

  private add(content: string, file: Evaluated['saved'][number]): void {
    // Code that catches an error continues without this file.
    const next = new Map(this.files).set(file.name, { bytes: Buffer.byteLength(content), file });
    if (next.size > mostFiles) throw new RangeError(`One run saves at most ${mostFiles} files.`);
    checkSize([...next.values()].reduce((sum, { bytes }) => sum + bytes, 0));
    this.files = next;
  }
}

function checkedName(of: string, name: unknown): string {
  if (typeof name === 'string' && fileName.test(name)) return name;
  throw new TypeError(`${of}: the first argument is the file’s name: letters, digits, spaces and . _ - ( )`);
}

function checkedText(of: string, text: unknown): string {
  if (typeof text === 'string' && text.length > 0) return text;
  throw new TypeError(`${of}: the second argument is the file’s text`);
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

function reasonOf(error: unknown): string {
  const { name, message } = (error ?? {}) as { name?: string; message?: string };
  if (message === 'interrupted') return `It took longer than ${timeMs / 1_000} seconds.`;
  return message ? `${name}: ${message}` : clip(asText(error), { characters: 500 });
}

export const handler = serveIsolated(runCode);
