import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inTurn } from './in-turn';

export interface BuildOrder {
  /** The folder to synthesize to. */
  assembly: string;
  /** The folder of bundles, where unchanged ones are reused. */
  bundles: string;
  env: Record<string, string | undefined>;
}

/** `inputs`: the files that the bundles are made from, relative to the root. */
export type BuildAnswer = { inputs: string[] } | { problem: string };

/** Synthesizes the stack in a separate process, which is started when first needed and reused by later builds. */
export interface Builder {
  /**
   * @throws Error in one line that names the place, if it is known.
   */
  build(order: BuildOrder): Promise<string[]>;
  /** Stops the process. The next build starts another one. */
  stop(): void;
  /** Whether each build has a process of its own, so that none is faster because of the one before it. */
  isFreshEachTime?: true;
}

export function openBuilder(): Builder {
  let child: ChildProcess | undefined;

  return {
    build: inTurn(ask),
    stop() {
      child?.kill();
      child = undefined;
    },
  };

  async function ask(order: BuildOrder): Promise<string[]> {
    const asked = child?.connected ? child : start();
    child = asked;
    const over = new AbortController();
    const { signal } = over;
    asked.send(order);
    const answer = once(asked, 'message', { signal }).then(([message]) => message as BuildAnswer);
    const end = once(asked, 'exit', { signal }).then(
      (): BuildAnswer => ({ problem: 'The build process stopped unexpectedly. Save the file again to retry.' }),
    );
    const first = await Promise.race([answer, end]).finally(() => over.abort());
    await Promise.allSettled([answer, end]);
    if ('problem' in first) throw new Error(first.problem);
    return first.inputs;
  }
}

/** The process needs the TypeScript loader, however this process was started. */
function start(): ChildProcess {
  // esbuild then collects garbage less often, which saves a quarter of its time.
  const env = { GOGC: '500', ...process.env };
  return fork(join(__dirname, 'builder-process.ts'), [], { execArgv: ['--import', 'tsx'], env });
}
