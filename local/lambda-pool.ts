import { type Ending, type Sandbox, type SandboxOptions, startSandbox } from './lambda-sandbox';
import type { Invocation } from './lambda-worker';

/** The sandboxes of one function: as many as there are events at work, up to a cap; idle ones are used again. */
export interface Pool {
  run(invocation: Invocation, killAfterMs?: number): Promise<RunResult>;
  /** Invocations at work or waiting for a sandbox. */
  active(): number;
  stop(): Promise<void>;
}

export interface RunResult {
  ending: Ending | { kind: 'timed-out' } | { kind: 'killed' };
  durationMs: number;
  /** Set for a cold start. */
  loadMs?: number;
}

const IDLE_MS = 300_000;
const LOAD_TIMEOUT_MS = 30_000;

export function startPool(options: SandboxOptions, cap: number): Pool {
  const sandboxes = new Set<Sandbox>();
  const idle: { sandbox: Sandbox; reaper: NodeJS.Timeout }[] = [];
  const waiting: ((sandbox: Sandbox | undefined) => void)[] = [];
  let active = 0;
  let stopped = false;

  return {
    active: () => active,
    async run(invocation, killAfterMs) {
      active += 1;
      try {
        return await runIn(await acquire(), invocation, killAfterMs);
      } finally {
        active -= 1;
      }
    },
    async stop() {
      stopped = true;
      for (const { reaper } of idle.splice(0)) clearTimeout(reaper);
      for (const resolve of waiting.splice(0)) resolve(undefined);
      await Promise.all([...sandboxes].map((sandbox) => sandbox.kill()));
    },
  };

  async function runIn(fresh: Sandbox | undefined, invocation: Invocation, killAfterMs?: number): Promise<RunResult> {
    if (!fresh) return { ending: { kind: 'killed' }, durationMs: 0 };
    const cold = fresh.loadMs() === 0;
    const unloaded = await limited(fresh, fresh.loaded, LOAD_TIMEOUT_MS);
    const loadMs = cold ? fresh.loadMs() : undefined;
    const started = performance.now();
    const ending = unloaded ?? (await finish(fresh, invocation, killAfterMs));
    await release(fresh, ending.kind === 'done' || ending.kind === 'failed');
    return { ending, durationMs: performance.now() - started, loadMs };
  }

  async function finish(sandbox: Sandbox, invocation: Invocation, killAfterMs?: number): Promise<RunResult['ending']> {
    const killFirst = killAfterMs !== undefined && killAfterMs < invocation.timeoutMs;
    const ending = await limited(sandbox, sandbox.run(invocation), killFirst ? killAfterMs : invocation.timeoutMs);
    return killFirst && ending.kind === 'timed-out' ? { kind: 'killed' } : ending;
  }

  /** Lets a sandbox have `ms` of real time, then ends it: a thread that spins cannot be asked to stop. */
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

  async function acquire(): Promise<Sandbox | undefined> {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.reaper);
      if (!found.sandbox.dead()) return found.sandbox;
      sandboxes.delete(found.sandbox);
    }
    if (stopped) return undefined;
    if (sandboxes.size < cap) return open();
    return new Promise((resolve) => waiting.push(resolve));
  }

  function open(): Sandbox {
    const sandbox = startSandbox(options);
    sandboxes.add(sandbox);
    return sandbox;
  }

  async function release(sandbox: Sandbox, reusable: boolean): Promise<void> {
    if (!reusable || sandbox.dead() || stopped) {
      sandboxes.delete(sandbox);
      await sandbox.kill();
      if (!stopped) waiting.shift()?.(open());
      return;
    }
    const next = waiting.shift();
    if (next) return next(sandbox);
    const reaper = setTimeout(() => {
      const at = idle.findIndex((one) => one.sandbox === sandbox);
      if (at < 0) return;
      idle.splice(at, 1);
      sandboxes.delete(sandbox);
      void sandbox.kill();
    }, IDLE_MS);
    reaper.unref();
    idle.push({ sandbox, reaper });
  }
}
