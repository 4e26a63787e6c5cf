import { existsSync, type FSWatcher, watch } from 'node:fs';

/** Watches folders and reports changes once there is a pause, because editors save in several steps. */
export interface FolderWatch {
  /** Watches exactly these folders, without their subfolders. */
  set(folders: readonly string[]): void;
  stop(): void;
}

const quietMs = 50;
/** The limit if there is never a pause. */
const latestMs = 500;

export interface FolderWatchOptions {
  /** `since` is the time of the first change, by `performance.now()`. */
  changed: (since: number) => void;
  log: (line: string) => void;
}

/**
 * Watches each folder on its own, because recursive `fs.watch` loses files that an editor replaces (Linux, Node 20).
 */
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
    // The parent's watcher reports a removed folder.
    if (existsSync(folder)) log(`${folder} cannot be watched (${error.message}): restart after a change there.`);
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
