import { join } from 'node:path';
import { synthesize } from '../../infra/synth';
import { startLocalCloud } from '../../local/cloud';
import { openApi } from '../../local/demo/demo-api';
import { startModelServer } from '../../test/support/servers/model-server';
import { type Figure, inScratch } from './measure';

const steps = 60;
const pollMs = 250;
const limitMs = 120_000;

/**
 * Measures a step on a laptop with an instant model: one run of 60 calls of `current_time`, each with a model call, a
 * tool call and three transitions, all journaled and stored. Measures between the first and the last request to the
 * model's server, so neither the start nor the polling counts.
 */
export async function stepsBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    const arrivals: number[] = [];
    const model = await startModelServer({
      script: (_request, index) => {
        arrivals.push(performance.now());
        return index < steps ? { toolCalls: [{ name: 'current_time', arguments: {} }] } : { text: 'Done.' };
      },
    });
    const { assembly } = await synthesize(join(folder, 'assembly'));
    const cloud = await startLocalCloud({
      assembly,
      stateDirectory: join(folder, 'state'),
      variables: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'bench', VIGIL_MAX_STEPS: String(steps + 10) },
    });
    try {
      const api = await openApi(cloud.url, 'bench');
      const { id } = await api.start('What time is it, sixty times?');
      await ended(async () => (await api.read(id)).run?.status);
    } finally {
      await cloud.stop();
      await model.stop();
    }
    const perStep = (arrivals[steps]! - arrivals[0]!) / steps;
    return [
      {
        key: 'msPerStep',
        name: 'a step, with an instant model',
        value: perStep,
        unit: 'ms',
        bar: 10,
        note: `mean of a run of ${steps}`,
      },
    ];
  });
}

async function ended(status: () => Promise<string | undefined>): Promise<void> {
  const begun = performance.now();
  while (performance.now() - begun < limitMs) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const now = await status();
    if (now === 'done') return;
    if (now !== 'running') throw new Error(`The run ended ${now}.`);
  }
  throw new Error(`The run did not end within ${limitMs} ms.`);
}
