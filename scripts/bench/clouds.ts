import { join } from 'node:path';
import { synthesize } from '../../infra/synth';
import { signIn } from '../../test/support/api-client';
import { compileCloud } from '../../test/support/clouds/compile-cloud';
import { endCloud, serveCloud } from '../../test/support/clouds/served-cloud';
import { startModelServer } from '../../test/support/servers/model-server';
import { cpuSeconds } from './cpu';
import { type Figure, inScratch, median } from './measure';

const rounds = 5;
/** Tools that have not been called yet. */
const freshTools = ['list_timers', 'cancel_timer', 'reminder'];

/**
 * Measures the tests' local cloud, in CPU seconds of all its processes: until it is ready, for its first conversation
 * (one tool call), for the next ones, and for the first call of another function. The first cloud is not counted,
 * because it compiles code for the others. Linux only.
 */
export async function cloudsBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    await compileCloud();
    const { assembly } = await synthesize(join(folder, 'assembly'));
    const taken: Awaited<ReturnType<typeof oneCloud>>[] = [];
    for (let round = 0; round <= rounds; round++) taken.push(await oneCloud(assembly, join(folder, `state-${round}`)));
    const of = (key: keyof (typeof taken)[number]) => median(taken.slice(1).map((one) => one[key]));
    const note = `CPU, median of ${rounds}`;
    return [
      { key: 'readySeconds', name: 'a cloud, ready', value: of('ready'), unit: 's', bar: 0.35, note },
      { key: 'firstSeconds', name: 'its first conversation', value: of('first'), unit: 's', bar: 0.5, note },
      { key: 'nextSeconds', name: 'the next conversation', value: of('next'), unit: 's', note },
      {
        key: 'firstCallMs',
        name: 'one more function, first call',
        value: of('call') * 1_000,
        unit: 'ms',
        bar: 25,
        note,
      },
    ];
  });
}

async function oneCloud(assembly: string, state: string) {
  const model = await startModelServer();
  const env = { ...process.env, OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'bench' };
  const cloud = await serveCloud(assembly, state, env);
  try {
    const cpu = () => cpuSeconds(cloud.process.pid!);
    const ready = cpu();
    const ada = await signIn(cloud.url, 'bench');
    const conversation = async (tool: string) => {
      const before = cpu();
      const args = tool === 'cancel_timer' ? { timer_id: 't' } : tool === 'reminder' ? { message: 'x' } : {};
      model.script([{ toolCalls: [{ name: tool, arguments: args }] }, { text: 'Done.' }]);
      const { id } = await ada.start('reminder', 'Go');
      await ada.finished(id);
      return cpu() - before;
    };
    const first = await conversation('current_time');
    const next: number[] = [];
    for (let turn = 0; turn < 5; turn++) next.push(await conversation('current_time'));
    const fresh: number[] = [];
    for (const tool of freshTools) fresh.push(await conversation(tool));
    return { ready, first, next: median(next), call: Math.max(0, median(fresh) - median(next)) };
  } finally {
    await endCloud(cloud, 'SIGTERM');
    await model.stop();
  }
}
