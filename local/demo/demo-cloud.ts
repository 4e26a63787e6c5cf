import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAssembly } from '../build/assembly';
import type { Builder } from '../build/builder';
import type { LocalCloud } from '../cloud';
import { outsideWorld } from '../npm-start/outside-world';
import { openStandIns } from '../npm-start/stand-ins';
import { synthesisInputs } from '../npm-start/start-settings';
import { openStateDirectory } from '../npm-start/state-directory';

export interface DemoCloud extends Omit<LocalCloud, 'stop'> {
  /** A label of the model in use. */
  model: string;
  stop(): Promise<void>;
}

/**
 * Starts a separate local cloud: free ports, a temporary state directory, and stand-ins for missing keys. `stop` stops
 * all of it, also after a failed start, and removes the directory.
 */
export async function startDemoCloud(log: (line: string) => void): Promise<DemoCloud> {
  const closing: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const directory = await mkdtemp(join(tmpdir(), 'vigil-demo-'));
    const remove = () => rmSync(directory, { recursive: true, force: true });
    // Ctrl-C also reaches the child processes, so a start may never finish.
    process.once('exit', remove);
    closing.push(remove);
    const parts = [
      import('../cloud'),
      openStandIns(process.env),
      builtAssembly(join(directory, 'assembly'), closing),
    ] as const;
    // Waits even if one fails: the directory must not be removed while another one uses it.
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

const root = join(__dirname, '../..');
/** Keeps the bundles and the assembly of the last demo, to reuse what has not changed. */
const kept = join(root, '.vigil/demo');

const builder: Builder = {
  async build({ assembly, bundles, env }) {
    const { synthesize } = await import('../../infra/synth');
    return (await synthesize(assembly, undefined, env, bundles)).inputs;
  },
  stop: () => undefined,
};

/** Returns the last demo's assembly, updated if needed. If another demo is using it, synthesizes to `folder`. */
async function builtAssembly(folder: string, closing: (() => unknown)[]): Promise<string> {
  // The cloud gets the model's address when it starts, so it does not belong in the template.
  const { OPENAI_BASE_URL: _, ...environment } = process.env;
  const { sources, env } = synthesisInputs(environment);
  const owned = await openStateDirectory(kept).catch(() => undefined);
  if (!owned) {
    await builder.build({ assembly: folder, bundles: join(kept, 'bundles'), env });
    return folder;
  }
  closing.push(owned.release);
  const assembly = await openAssembly({ folder: kept, root, builder, sources, env });
  await assembly.look();
  if (!assembly.isCurrent()) await assembly.build();
  return kept;
}
