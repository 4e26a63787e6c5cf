import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalCloud } from '../cloud';
import { outsideWorld } from '../npm-start/outside-world';
import { openStandIns } from '../npm-start/stand-ins';

export interface DemoCloud extends Omit<LocalCloud, 'stop'> {
  /** Which model answers, in words. */
  model: string;
  stop(): Promise<void>;
}

/**
 * A local cloud of its own: free ports, a temporary state directory, and stand-ins for what there is no key for. `stop`
 * stops all of it, also what a failed start left, and removes the directory.
 */
export async function startDemoCloud(log: (line: string) => void): Promise<DemoCloud> {
  const closing: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const directory = await mkdtemp(join(tmpdir(), 'vigil-demo-'));
    const remove = () => rmSync(directory, { recursive: true, force: true });
    // Ctrl-C reaches our child processes too: a start that they leave in the middle may never get to its end.
    process.once('exit', remove);
    closing.push(remove);
    const parts = [import('../cloud'), openStandIns(process.env), synthesizeInto(join(directory, 'assembly'))] as const;
    // Also when one fails: what works in the directory must be through with it before it is removed.
    await Promise.allSettled(parts);
    parts[1].then(({ stop: close }) => closing.push(close)).catch(() => undefined);
    const [{ startLocalCloud }, standIns, assembly] = await Promise.all(parts);
    const model = modelLabel(process.env);
    const cloud = await startLocalCloud({
      assembly,
      stateDirectory: join(directory, 'state'),
      variables: { ...outsideWorld(process.env), ...standIns.variables },
      environment: process.env,
      notes: { model },
      log,
    });
    closing.push(cloud.stop);
    return { ...cloud, model, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function modelLabel(env: NodeJS.ProcessEnv): string {
  if (!env.OPENAI_API_KEY) return 'stand-in model: no OPENAI_API_KEY';
  const where = env.OPENAI_BASE_URL ? new URL(env.OPENAI_BASE_URL).host : 'OpenAI';
  return `${env.VIGIL_MODEL ?? "the agent's model"}, at ${where}`;
}

async function synthesizeInto(folder: string): Promise<string> {
  const { synthesize } = await import('../../infra/synth');
  return (await synthesize(folder)).assembly;
}
