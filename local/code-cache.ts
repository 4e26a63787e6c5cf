import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';

export interface LoadedModule {
  exports: Record<string, unknown>;
  /** Keeps the compiled code for the next load. Called late, it has the functions that have run by then. */
  keep(): void;
}

const before = '(function (exports, require, module, __filename, __dirname) { ';
const after = '\n})';

/**
 * Loads a CommonJS file as `require` does, with V8's compiled code from an earlier load where there is some: to compile a
 * bundle of half a megabyte takes longer than to run it. Each load is a module of its own, and nothing is shared but code.
 *
 * @param folder where compiled code is kept. V8 refuses what another set of flags has made. The file's name has the time and
 *   the size of the source, so that changed code is never mixed up, and Node's version: V8 takes what another Node with the
 *   same V8 has made, and crashes on it.
 */
export function loadModule(file: string, folder: string): LoadedModule {
  const { mtimeMs, size } = statSync(file);
  const cache = join(
    folder,
    `${basename(dirname(file))}-${basename(file)}-${size}-${Math.round(mtimeMs)}-${process.version}-${process.arch}.v8`,
  );
  const source = readFileSync(file, 'utf8');
  // Code from a cache cannot import at run time: V8 loses what Node needs for it.
  const usable = !/(?<![\w$.`'"])import\s*\(\s*[\w`'"]/.test(source);
  const cachedData = usable ? contentOf(cache) : undefined;
  const script = new Script(before + source + after, {
    filename: file,
    columnOffset: -before.length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} as Record<string, unknown> };
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return {
    exports: module.exports,
    keep() {
      if (!usable || (cachedData && !script.cachedDataRejected)) return;
      try {
        mkdirSync(folder, { recursive: true });
        const whole = `${cache}.${process.pid}-${performance.now()}`;
        writeFileSync(whole, script.createCachedData());
        // Another thread may be about to read it.
        renameSync(whole, cache);
      } catch {
        // A folder that cannot be written to makes the next load slower, and nothing else.
      }
    },
  };
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
