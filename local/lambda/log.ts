import { closeSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The output of one function: `<state>/logs/<Function>.log`. Older output is in `<Function>.1.log`. */
export interface LambdaLog {
  print(text: Buffer | string): void;
  stop(): void;
}

const rotateAt = 5_000_000;

/**
 * Opens the file at the first output, because most functions are never called in a session. Writes are synchronous,
 * which is many times faster than Node's thread pool.
 */
export function openLambdaLog(stateDirectory: string, name: string): LambdaLog {
  let file: number | undefined;
  let stopped = false;
  return {
    print(text) {
      if (stopped) return;
      try {
        file ??= openFile(join(stateDirectory, 'logs'), name);
        writeSync(file, typeof text === 'string' ? Buffer.from(text) : text);
      } catch {
        // A full disk must not stop the functions.
      }
    },
    stop() {
      stopped = true;
      if (file !== undefined) closeSync(file);
    },
  };
}

function openFile(folder: string, name: string): number {
  const path = join(folder, `${name}.log`);
  mkdirSync(folder, { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAt) renameSync(path, join(folder, `${name}.1.log`));
  return openSync(path, 'a');
}
