import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One file for each function's output: `<state>/logs/<Function>.log`. What ran before lies in `<Function>.1.log`. */
export interface LambdaLog {
  print(text: Buffer | string): void;
  stop(): Promise<void>;
}

const ROTATE_AT = 5_000_000;

export async function openLambdaLog(stateDirectory: string, name: string): Promise<LambdaLog> {
  const folder = join(stateDirectory, 'logs');
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.log`);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > ROTATE_AT) await rename(file, join(folder, `${name}.1.log`));
  const stream = createWriteStream(file, { flags: 'a' });
  // A full disk must not stop the functions.
  stream.on('error', () => undefined);
  return {
    print: (text) => void stream.write(text),
    stop: () => new Promise((resolve) => stream.end(() => resolve())),
  };
}
