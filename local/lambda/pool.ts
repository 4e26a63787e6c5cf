import { availableParallelism } from 'node:os';
import { startPython } from './python';
import { type Ending, type Sandbox, type SandboxOptions, startSandbox } from './sandbox';
import type { Invocation } from './worker';

/**
 * The sandboxes of one function. An event takes the first free one. If all are busy, more are loaded, up to a cap.
 *
 * Loading a sandbox costs ten times as much as a short event. So beside the first one, another is opened only for an
 * event that has waited longer than a load takes, and no more load at a time than there are processors. An event takes
 * whichever sandbox is free first. A few warm threads serve a rush of short events, and a slow model gets more of them.
 */
export interface Pool {
  /** @param wanted aborts what waits for a sandbox: `run` then rejects. What has begun goes on. */
  run(invocation: Invocation, killAfterMs?: number, wanted?: AbortSignal): Promise<RunResult>;
  /** Invocations that run or wait for a sandbox. */
  active(): number;
  /** Kills the busy sandboxes. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunResult {
  ending: Ending | { kind: 'timed-out' } | { kind: 'killed' };
  durationMs: number;
  /** The time that it waited for a sandbox. */
  waitedMs: number;
  /** Set for the first event of a sandbox. */
  loadMs?: number;
}

type Ended = RunResult['ending'];

/** A free sandbox, or why there is none. */
type Slot = { sandbox: Sandbox } | { ending: Ended };

/** An event that waits for a sandbox. */
interface Waiting {
  since: number;
  give(slot: Slot): void;
}

const idleMs = 300_000;
const loadTimeoutMs = 30_000;
const loadingCap = Math.max(2, availableParallelism());

export function startPool(options: SandboxOptions, cap: number): Pool {
  const sandboxes = new Set<Sandbox>();
  const fresh = new Set<Sandbox>();
  const working = new Set<Sandbox>();
  const idle: { sandbox: Sandbox; reaper: NodeJS.Timeout }[] = [];
  const waiting: Waiting[] = [];
  let loading = 0;
  /** The duration and the end of the latest load. */
  let loadMs: number | undefined;
  let loadedAt = 0;
  let later: NodeJS.Timeout | undefined;
  let active = 0;
  let stopped = false;

  return {
    active: () => active,
    async crash() {
      await Promise.all([...working].map((sandbox) => sandbox.kill()));
    },
    async run(invocation, killAfterMs, wanted) {
      active += 1;
      const asked = performance.now();
      try {
        const slot = await acquire(wanted);
        const waitedMs = performance.now() - asked;
        if (!('sandbox' in slot)) return { ...slot, durationMs: 0, waitedMs };
        return { ...(await runIn(slot.sandbox, invocation, killAfterMs)), waitedMs };
      } finally {
        active -= 1;
      }
    },
    async stop() {
      stopped = true;
      clearTimeout(later);
      for (const { reaper } of idle.splice(0)) clearTimeout(reaper);
      for (const { give } of waiting.splice(0)) give({ ending: { kind: 'killed' } });
      await Promise.all([...sandboxes].map((sandbox) => sandbox.kill()));
    },
  };

  async function runIn(
    sandbox: Sandbox,
    invocation: Invocation,
    killAfterMs?: number,
  ): Promise<Omit<RunResult, 'waitedMs'>> {
    const loadMs = fresh.delete(sandbox) ? sandbox.loadMs() : undefined;
    const started = performance.now();
    working.add(sandbox);
    const ending = await finish(sandbox, invocation, killAfterMs);
    working.delete(sandbox);
    const durationMs = performance.now() - started;
    if (ending.kind === 'done' || ending.kind === 'failed') free(sandbox);
    else await discard(sandbox);
    return { ending, durationMs, loadMs };
  }

  async function finish(sandbox: Sandbox, invocation: Invocation, killAfterMs?: number): Promise<Ended> {
    const killFirst = killAfterMs !== undefined && killAfterMs < invocation.timeoutMs;
    const ending = await limited(sandbox, sandbox.run(invocation), killFirst ? killAfterMs : invocation.timeoutMs);
    return killFirst && ending.kind === 'timed-out' ? { kind: 'killed' } : ending;
  }

  function acquire(wanted?: AbortSignal): Promise<Slot> | Slot {
    wanted?.throwIfAborted();
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.reaper);
      if (!found.sandbox.dead()) return { sandbox: found.sandbox };
      sandboxes.delete(found.sandbox);
    }
    if (stopped) return { ending: { kind: 'killed' } };
    return new Promise((resolve, reject) => {
      const event: Waiting = {
        since: performance.now(),
        give(slot) {
          wanted?.removeEventListener('abort', leave);
          resolve(slot);
        },
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(event), 1);
        reject(wanted!.reason as Error);
      };
      wanted?.addEventListener('abort', leave, { once: true });
      waiting.push(event);
      grow();
    });
  }

  function grow(): void {
    clearTimeout(later);
    while (!stopped && loading < loadingCap && sandboxes.size < cap) {
      // Those before it get what is loading.
      const next = waiting[loading];
      if (!next) return;
      if (sandboxes.size > 0 && loadMs === undefined) return;
      const patienceMs = sandboxes.size > 0 ? loadMs! - (performance.now() - Math.max(next.since, loadedAt)) : 0;
      if (patienceMs > 0) {
        later = setTimeout(grow, Math.ceil(patienceMs));
        return;
      }
      void open();
    }
  }

  async function open(): Promise<void> {
    const sandbox = options.setup.file.endsWith('.py') ? startPython(options) : startSandbox(options);
    sandboxes.add(sandbox);
    fresh.add(sandbox);
    loading += 1;
    const failure = await limited(sandbox, sandbox.loaded, loadTimeoutMs);
    loading -= 1;
    if (!failure) {
      loadMs = sandbox.loadMs();
      loadedAt = performance.now();
      free(sandbox);
    } else {
      waiting.shift()?.give({ ending: failure });
      await discard(sandbox);
    }
    grow();
  }

  /** Gives a sandbox to the event that has waited longest, or keeps it for the next one. */
  function free(sandbox: Sandbox): void {
    const usable = !stopped && !sandbox.dead();
    const next = usable ? waiting.shift() : undefined;
    if (next) next.give({ sandbox });
    else if (usable) rest(sandbox);
    else void discard(sandbox);
  }

  function rest(sandbox: Sandbox): void {
    const reaper = setTimeout(() => {
      const at = idle.findIndex((one) => one.sandbox === sandbox);
      if (at >= 0) idle.splice(at, 1);
      void discard(sandbox);
    }, idleMs);
    reaper.unref();
    idle.push({ sandbox, reaper });
  }

  async function discard(sandbox: Sandbox): Promise<void> {
    sandboxes.delete(sandbox);
    fresh.delete(sandbox);
    await sandbox.kill();
    grow();
  }
}

/** Gives a sandbox `ms` of real time, then kills it: a busy thread cannot be asked to stop. */
async function limited<T>(sandbox: Sandbox, work: Promise<T>, ms: number): Promise<T | { kind: 'timed-out' }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ kind: 'timed-out' }>((resolve) => {
    timer = setTimeout(() => {
      resolve({ kind: 'timed-out' });
      void sandbox.kill();
    }, ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
