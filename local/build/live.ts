import type { Assembly } from './assembly';
import type { Builder } from './builder';
import { watchFolders } from './watch';

export interface LiveOptions {
  assembly: Assembly;
  builder: Pick<Builder, 'stop'>;
  /** Deploys the new assembly to the running cloud. */
  deploy: () => Promise<void>;
  say: (line: string) => void;
}

/** The greatest number of files that a line names. */
const mostNamed = 3;

/** Deploys each saved change, one build at a time. Changes during a build lead to one more build. */
export function keepLive({ assembly, builder, deploy, say }: LiveOptions): { stop(): Promise<void> } {
  let isStopped = false;
  let working: Promise<void> | undefined;
  let since: number | undefined = performance.now();
  const folders = watchFolders({ changed, log: say });
  assembly.onFolders((found) => {
    if (!isStopped) folders.set(found);
  });
  // Warms the builder up for the first change. Files saved meanwhile are noticed afterwards.
  working = assembly
    .rehearse()
    .catch(() => undefined)
    .then(work)
    .finally(rest);

  return {
    async stop() {
      isStopped = true;
      folders.stop();
      builder.stop();
      await working;
    },
  };

  function changed(from: number): void {
    since ??= from;
    working ??= work().finally(rest);
  }

  function rest(): void {
    working = undefined;
  }

  async function work(): Promise<void> {
    while (since !== undefined && !isStopped) {
      const from = since;
      since = undefined;
      try {
        const files = await assembly.look();
        if (files.length === 0 || isStopped) continue;
        if (assembly.isCurrent()) say(`Changed: ${named(files)}. The running code is already up to date.`);
        else await makeLive(files, from);
      } catch (error) {
        say(`The change could not be read: ${(error as Error).message}`);
      }
    }
  }

  async function makeLive(files: string[], from: number): Promise<void> {
    // The process still has the old packages loaded.
    if (files.includes('package-lock.json')) builder.stop();
    try {
      await assembly.build(deploy);
      say(`Changed: ${named(files)}. Live in ${((performance.now() - from) / 1_000).toFixed(1)} s.`);
    } catch (error) {
      if (isStopped) return;
      const { message } = error as Error;
      say(`${message.replace(/[^.?!]$/, '$&.')} The old code stays.`);
    }
  }
}

function named(files: string[]): string {
  const rest = files.length - mostNamed;
  return rest > 0 ? `${files.slice(0, mostNamed).join(', ')} and ${rest} more` : files.join(', ');
}
