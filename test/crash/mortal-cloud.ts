import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Boundary } from '../../local/app/boundaries';
import { endCloud, type ServedCloud, serveCloud } from '../support/clouds/served-cloud';

/** What is done to the cloud, at a boundary of its own. */
export type BoundaryPoint = Boundary & { kind: 'crash' | 'kill' };

/** A local cloud that starts again, on the same state and with nothing ordered any more, whenever its process is killed. */
export interface MortalCloud {
  /** The folder where it keeps everything. */
  state: string;
  /** The process that runs, or the next one once it does. */
  up(): Promise<ServedCloud>;
  order(point: BoundaryPoint): Promise<void>;
  /** kill -9, from outside. */
  kill(): Promise<void>;
  /** Whether it was killed, or what was ordered has happened. */
  hasCrashed(): Promise<boolean>;
  beginBoundaries(): Promise<void>;
  boundaries(): Promise<Boundary[]>;
  stop(): Promise<void>;
}

export async function startMortalCloud(assembly: string, env: NodeJS.ProcessEnv): Promise<MortalCloud> {
  const state = mkdtempSync(join(tmpdir(), 'vigil-crash-'));
  let deaths = 0;
  let ordered = false;
  let stopping = false;
  let current = open();

  async function open(): Promise<ServedCloud> {
    const served = await serveCloud(assembly, state, env);
    served.process.once('exit', (_code, signal) => {
      deaths += 1;
      if (stopping) return;
      current = signal === 'SIGKILL' ? open() : Promise.reject(new Error('The local cloud ended by itself.'));
      current.catch(() => undefined);
    });
    return served;
  }

  async function local<Answer>(path: string, body?: object): Promise<Answer> {
    const { url } = await current;
    const answer = await fetch(`${url}/_local/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`/_local/${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  return {
    state,
    up: () => current,
    async order(point) {
      await local('faults', point);
      ordered = true;
    },
    kill: async () => endCloud(await current, 'SIGKILL'),
    async hasCrashed() {
      if (deaths > 0 || !ordered) return deaths > 0;
      // The process may die while it is asked.
      const asked = await local<{ faults: object[] }>('faults').catch(() => undefined);
      return asked?.faults.length === 0;
    },
    beginBoundaries: () => local('boundaries', {}),
    boundaries: async () => (await local<{ boundaries: Boundary[] }>('boundaries')).boundaries,
    async stop() {
      stopping = true;
      // A fresh state directory is of no use to anybody: nothing needs to be written any more.
      const served = await current.catch(() => undefined);
      if (served) await endCloud(served, 'SIGKILL');
      await removeSoon(state);
    },
  };
}

/** The DynamoDB engine notices a moment later that its parent is gone, and writes until then. */
async function removeSoon(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
