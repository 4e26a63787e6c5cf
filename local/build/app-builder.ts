import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Builder, BuildOrder } from './builder';
import { inTurn } from './in-turn';
import { problemOf } from './problem';

export interface AppOptions {
  /** The folder of the CDK app. */
  root: string;
  /** The command that synthesizes it, as in `cdk.json`. */
  app: string;
  context?: Record<string, unknown>;
}

/** The CDK's command line sets the first two. They tell where a function's code is, and what resources are called. */
const context = {
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': true,
  // The local cloud serves the page itself.
  'vigil:page': 'none',
};

/** Synthesizes a CDK app by its own command, with the variables with which the CDK's command line runs it. */
export function openAppBuilder({ root, app, context: own }: AppOptions): Builder {
  let running: ChildProcess | undefined;
  return {
    isFreshEachTime: true,
    build: inTurn(run),
    stop() {
      running?.kill();
    },
  };

  async function run({ assembly, bundles }: BuildOrder): Promise<string[]> {
    const env = {
      CDK_DEFAULT_ACCOUNT: '000000000000',
      CDK_DEFAULT_REGION: process.env.AWS_REGION ?? 'us-east-1',
      ...process.env,
      CDK_OUTDIR: assembly,
      CDK_CONTEXT_JSON: JSON.stringify({ ...own, ...context, 'vigil:bundles': bundles }),
      // The check against CloudFormation's schemas takes most of a synthesis. A deployment does it.
      CDK_VALIDATION: 'false',
    };
    const child = spawn(app, { cwd: root, env, shell: true, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true });
    running = child;
    let said = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    running = undefined;
    // The root's files are watched, and nothing else.
    if (code === 0) return [];
    throw new Error(said ? problemIn(said, root) : `"${app}" ended with exit code ${code}, and said nothing.`);
  }
}

/** Returns the error that a process printed, in one line. */
export function problemIn(said: string, root: string): string {
  const lines = said.split('\n');
  const at = lines.findIndex((line) => thrown.test(line));
  // As compilers print mistakes, and `vigil typecheck`.
  const [first, ...more] = at < 0 ? lines.filter((line) => /^[^\s:][^:]*:\d+:\d+: /.test(line)) : [];
  if (first) return more.length > 0 ? `${first} (and ${more.length} more)` : first;
  // The last line is Node's version.
  if (at < 0) return lines.filter((line) => line.trim() && !line.startsWith('Node.js v')).at(-1) ?? said;
  const { name = 'ConfigurationError', text = '' } = thrown.exec(lines[at]!)!.groups!;
  const stack = lines.slice(at).join('\n');
  // The CDK lists the problems of a validation below such a line.
  const message = text.endsWith(':') ? (lines[at + 1] ?? '').trim() : text;
  return problemOf({ name, message: stack.includes('ERROR: ') ? stack : message, stack }, root);
}

/** The first line of an error as Node prints it, and as the CDK does: `[«ValidationFailed» The stack …`. */
const thrown = /^(?:(?<name>\w*(?:Error|Exception))(?: \[[^\]]*\])?: |\[«\w+» )(?<text>.*)$/;
