import { availableParallelism } from 'node:os';
import { startPython } from './python';
import { type Ending, type Sandbox, type SandboxOptions, startSandbox } from './sandbox';
import type { Invocation } from './worker';

/**
 * The sandboxes of one function. An event takes the first free one. If all are busy, more are loaded, up to a cap.
 *
 * An event takes another sandbox if that is free before the one opened for it, and no more sandboxes load at a time
 * than there are processors. So on a laptop a few warm threads serve a burst of short events.
 */
export interface Pool {
  run(invocation: Invocation, killAfterMs?: number): Promise<RunResult>;
  /** Invocations that run or wait for a sandbox. */
  active(): number;
  /** Kills the busy sandboxes. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

export interface RunResult {
  ending: Ending | { kind: 'timed-out' } | { kind: 'killed' };
  durationMs: number;
  /** Set for the first event of a sandbox. */
  loadMs?: number;
}

type Ended = RunResult['ending'];

/** A free sandbox, or why there is none. */
type Slot = { sandbox: Sandbox } | { ending: Ended };

const idleMs = 300_000;
const loadTimeoutMs = 30_000;
const loadingCap = Math.max(2, availableParallelism());

export function startPool(options: SandboxOptions, cap: number): Pool {
  const sandboxes = new Set<Sandbox>();
  const fresh = new Set<Sandbox>();
  const working = new Set<Sandbox>();
  const idle: { sandbox: Sandbox; reaper: NodeJS.Timeout }[] = [];
  const waiting: ((slot: Slot) => void)[] = [];
  let loading = 0;
  let active = 0;
  let stopped = false;

  return {
    active: () => active,
    async crash() {
      await Promise.all([...working].map((sandbox) => sandbox.kill()));
    },
    async run(invocation, killAfterMs) {
      active += 1;
      try {
        const slot = await acquire();
        return 'sandbox' in slot ? await runIn(slot.sandbox, invocation, killAfterMs) : { ...slot, durationMs: 0 };
      } finally {
        active -= 1;
      }
    },
    async stop() {
      stopped = true;
      for (const { reaper } of idle.splice(0)) clearTimeout(reaper);
      for (const resolve of waiting.splice(0)) resolve({ ending: { kind: 'killed' } });
      await Promise.all([...sandboxes].map((sandbox) => sandbox.kill()));
    },
  };

  async function runIn(sandbox: Sandbox, invocation: Invocation, killAfterMs?: number): Promise<RunResult> {
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

  function acquire(): Promise<Slot> | Slot {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.reaper);
      if (!found.sandbox.dead()) return { sandbox: found.sandbox };
      sandboxes.delete(found.sandbox);
    }
    if (stopped) return { ending: { kind: 'killed' } };
    return new Promise((resolve) => {
      waiting.push(resolve);
      grow();
    });
  }

  function grow(): void {
    while (!stopped && waiting.length > loading && loading < loadingCap && sandboxes.size < cap) void open();
  }

  async function open(): Promise<void> {
    const sandbox = options.setup.file.endsWith('.py') ? startPython(options) : startSandbox(options);
    sandboxes.add(sandbox);
    fresh.add(sandbox);
    loading += 1;
    const failure = await limited(sandbox, sandbox.loaded, loadTimeoutMs);
    loading -= 1;
    if (!failure) free(sandbox);
    else {
      waiting.shift()?.({ ending: failure });
      await discard(sandbox);
    }
    grow();
  }

  /** Gives a sandbox to the event that has waited longest, or keeps it for the next one. */
  function free(sandbox: Sandbox): void {
    const usable = !stopped && !sandbox.dead();
    const next = usable ? waiting.shift() : undefined;
    if (next) next({ sandbox });
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
