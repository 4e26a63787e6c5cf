import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';

export interface LoadedModule {
  exports: Record<string, unknown>;
  /** Stores the compiled code for the next load. If called late, it includes the functions that have run by then. */
  keep(): void;
}

const before = '(function (exports, require, module, __filename, __dirname) { ';
const after = '\n})';

/**
 * Loads a CommonJS file like `require`, with V8's compiled code from an earlier load: compiling a bundle of half a
 * megabyte takes longer than running it. Each load creates a separate module.
 *
 * @param folder the cache of compiled code. V8 rejects code compiled with other flags. The file's name contains the
 *   source's time and size, and the version of Node: V8 accepts code compiled by another Node with the same V8, and
 *   crashes on it.
 */
export function loadModule(file: string, folder: string): LoadedModule {
  const { mtimeMs, size } = statSync(file);
  const cache = join(
    folder,
    `${basename(dirname(file))}-${basename(file)}-${size}-${Math.round(mtimeMs)}-${process.version}-${process.arch}.v8`,
  );
  const source = readFileSync(file, 'utf8');
  // Cached code cannot use `import()`: V8 loses what Node needs for it.
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
        // Without a writable folder, only the next load is slower.
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
