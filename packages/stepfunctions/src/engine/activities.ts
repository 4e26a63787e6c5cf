import type { Dispatch } from '../execution/transition';
import type { Entry } from './entry';

export interface Activity {
  arn: string;
  name: string;
  creationDate: number;
  tags: Record<string, string>;
}

export interface ActivityTask {
  entry: Entry;
  effect: Dispatch;
}

/** Tasks that wait for a worker to ask for them, and workers that wait for a task. */
export class ActivityQueues {
  private readonly tasks = new Map<string, ActivityTask[]>();
  private readonly workers = new Map<string, ((task: ActivityTask | undefined) => void)[]>();

  schedule(entry: Entry, effect: Dispatch): void {
    const { arn } = effect.resource;
    const worker = this.workers.get(arn)?.shift();
    if (worker) worker({ entry, effect });
    else listOf(this.tasks, arn).push({ entry, effect });
  }

  /** The next task; waits up to `ms` milliseconds of real time for one, and no longer than its worker does. */
  take(arn: string, ms: number, gone?: AbortSignal): Promise<ActivityTask | undefined> {
    if (gone?.aborted) return Promise.resolve(undefined);
    const task = this.tasks.get(arn)?.shift();
    if (task !== undefined) return Promise.resolve(task);
    return new Promise((resolve) => {
      const waiting = listOf(this.workers, arn);
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1);
        take(undefined);
      };
      const timer = setTimeout(leave, ms);
      const take = (found: ActivityTask | undefined) => {
        clearTimeout(timer);
        gone?.removeEventListener('abort', leave);
        resolve(found);
      };
      gone?.addEventListener('abort', leave);
      waiting.push(take);
    });
  }

  /** Sends every waiting worker home. */
  stop(): void {
    for (const waiting of this.workers.values()) for (const worker of waiting.splice(0)) worker(undefined);
  }
}

function listOf<T>(map: Map<string, T[]>, key: string): T[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}
