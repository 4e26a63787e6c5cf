import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalCloud } from '../cloud';
import { outsideWorld } from '../npm-start/outside-world';

export interface DemoCloud extends Omit<LocalCloud, 'stop'> {
  /** Which model answers, in words. */
  model: string;
  stop(): Promise<void>;
}

/**
 * A local cloud of its own: free ports, a temporary state directory, and the stand-in model if there is no key. `stop`
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
    const parts = [import('../cloud'), openModel(process.env), synthesizeInto(join(directory, 'assembly'))] as const;
    // Also when one fails: what works in the directory must be through with it before it is removed.
    await Promise.allSettled(parts);
    parts[1].then(({ stop: close }) => closing.push(close)).catch(() => undefined);
    const [{ startLocalCloud }, model, assembly] = await Promise.all(parts);
    const cloud = await startLocalCloud({
      assembly,
      stateDirectory: join(directory, 'state'),
      variables: { ...outsideWorld(process.env), ...model.variables },
      notes: { model: model.name },
      log,
    });
    closing.push(cloud.stop);
    return { ...cloud, model: model.name, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Model {
  name: string;
  variables: Record<string, string>;
  stop(): unknown;
}

async function openModel(env: NodeJS.ProcessEnv): Promise<Model> {
  if (env.OPENAI_API_KEY) {
    const where = env.OPENAI_BASE_URL ? new URL(env.OPENAI_BASE_URL).host : 'OpenAI';
    return { name: `${env.VIGIL_MODEL ?? "the agent's model"}, at ${where}`, variables: {}, stop: () => undefined };
  }
  const { startStandInModel } = await import('../stand-in-model');
  const { url, stop } = await startStandInModel();
  return {
    name: 'stand-in model: no OPENAI_API_KEY',
    variables: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'stand-in' },
    stop,
  };
}

async function synthesizeInto(folder: string): Promise<string> {
  const { synthesize } = await import('../../infra/synth');
  return (await synthesize(folder)).assembly;
}
