import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeMark } from '../../../local/build/sources';
import { pageFingerprint } from '../../../local/npm-start/page';

/** A copy of the repository's sources that a test may change while its `npm start` runs. */
export interface Checkout {
  root: string;
  write(file: string, text: string): void;
  remove(file: string): void;
  start(env: Record<string, string>, ...args: string[]): Promise<Started>;
  dispose(): Promise<void>;
}

export interface Started {
  url: string;
  awsUrl: string;
  /** Returns everything that the terminal shows so far. */
  screen(): string;
  /** Resolves with the next match after those of earlier calls. @throws with the screen, after two minutes. */
  says(line: RegExp): Promise<string>;
  /** Sends Ctrl-C. Resolves with the exit status. */
  stop(): Promise<number | null>;
}

const repository = join(__dirname, '../../..');
const copied = ['core', 'infra', 'lambdas', 'local', 'modules', 'runtime', 'statemachines', 'tools'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'cdk.json'];

/** Copies the sources. The agents are left out by default, because they take most of a build's time. */
export async function checkOut({ agents = false } = {}): Promise<Checkout> {
  const root = mkdtempSync(join(tmpdir(), 'vigil-checkout-'));
  for (const path of [...copied, ...files, agents ? 'agents' : 'agents/index.ts'])
    cpSync(join(repository, path), join(root, path), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  // The page is not tested here, so a placeholder passes as built.
  mkdirSync(join(root, 'web/dist'), { recursive: true });
  writeFileSync(join(root, 'web/dist/index.html'), 'The page');
  await writeMark(join(root, 'web/dist'), { fingerprint: await pageFingerprint(root), inputs: [] });
  const running = new Set<ChildProcess>();

  return {
    root,
    write(file, text) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    },
    remove: (file) => rmSync(join(root, file)),
    async start(env, ...args) {
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        scripts: { start: string };
      };
      // Without a shell, which would not pass Ctrl-C on.
      const [, ...command] = scripts.start.split(' ');
      const child = spawn(process.execPath, [...command, ...args], {
        cwd: root,
        env: { PATH: process.env.PATH, PORT: '0', AWS_PORT: '0', ...env },
      });
      running.add(child);
      child.once('exit', () => running.delete(child));
      return whenReady(child);
    },
    async dispose() {
      for (const child of running) await ended(child, 'SIGKILL');
      rmSync(root, { recursive: true, force: true });
    },
  };
}

async function whenReady(child: ChildProcess): Promise<Started> {
  let screen = '';
  let read = 0;
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      screen += chunk.toString();
    });

  async function says(line: RegExp): Promise<string> {
    for (let look = 0; look < 6_000; look++) {
      const [found] = line.exec(screen.slice(read)) ?? [];
      if (found !== undefined) {
        read = screen.indexOf(found, read) + found.length;
        return found;
      }
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`The terminal does not say ${line}. It says: ${screen}`);
  }
  await says(/Ctrl-C/);
  const [url = '', awsUrl = ''] = screen.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
  return { url, awsUrl, screen: () => screen, says, stop: () => ended(child, 'SIGINT') };
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  const exit = once(child, 'exit');
  child.kill(signal);
  const [code] = (await exit) as [number | null];
  return code;
}
