import { existsSync, type FSWatcher, watch } from 'node:fs';

/** Tells that something happened in one of some folders, once things have been quiet for a moment: editors save in several steps. */
export interface FolderWatch {
  /** Watches these folders and no others, each without what is below it. */
  set(folders: readonly string[]): void;
  stop(): void;
}

const quietMs = 50;
/** Even when it never gets quiet. */
const latestMs = 500;

export interface FolderWatchOptions {
  /** `since`: when the first thing of this kind happened, by `performance.now()`. */
  changed: (since: number) => void;
  log: (line: string) => void;
}

/** `fs.watch` with `recursive` loses files that an editor replaces (Linux, Node 20); a folder of its own never does. */
export function watchFolders({ changed, log }: FolderWatchOptions): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  return {
    set(folders) {
      for (const folder of folders) if (!watchers.has(folder)) open(folder);
      for (const folder of watchers.keys()) if (!folders.includes(folder)) close(folder);
    },
    stop() {
      clearTimeout(timer);
      for (const folder of watchers.keys()) close(folder);
    },
  };

  function open(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, happened);
      watcher.on('error', (error) => failed(folder, error));
      watchers.set(folder, watcher);
    } catch (error) {
      failed(folder, error as Error);
    }
  }

  function failed(folder: string, error: Error): void {
    close(folder);
    // Of one that was removed its parent tells.
    if (existsSync(folder)) log(`${folder} is not watched (${error.message}): after a change there, start again.`);
  }

  function close(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }

  function happened(): void {
    const now = performance.now();
    since ??= now;
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, Math.min(quietMs, since + latestMs - now)));
  }

  function tell(): void {
    const from = since ?? performance.now();
    since = undefined;
    changed(from);
  }
}
