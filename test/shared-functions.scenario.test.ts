import { modulesFrom } from '../modules/app';
import { assemblyWith } from './support/clouds/assembly-with';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// Tools that need the same rights run in one function: the real bundles, in a deployment of their own.

let vigil: Vigil;
beforeAll(async () => {
  const { folder, variables } = await assemblyWith({ modules: modulesFrom({}), shareFunctions: true });
  expect(variables).toHaveProperty('RemindLater.AWS_LAMBDA_FUNCTION_NAME', 'SharedToolsN');
  vigil = await startVigil({ script: arranging, deployment: folder, isAlone: true });
});
afterAll(() => vigil?.stop());

function arranging({ messages }: ChatRequest): Reply {
  const last = String(messages.at(-1)?.content);
  if (last.includes('⏰ Due at')) return { text: 'Drink!' };
  if (last.includes('Arrange'))
    return {
      toolCalls: [call('a', 'remind_later', water), call('b', 'repeat', daily)].flatMap((one) => one.toolCalls!),
    };
  return { text: 'Arranged.' };
}
const water = { message: 'Drink water', delay_seconds: 3_600, at: null };
const daily = { task: 'Stretch', cron: null, time_zone: null, every_seconds: 86_400 };

test('two tools of one function run at once, each with its own code, and one of them again after the function died (R278)', async () => {
  await vigil.fault({ function: 'SharedToolsN', kind: 'crash', at: 'after', times: 1 });
  const ada = await vigil.user();
  const { id } = await ada.start('tester', 'Arrange both');
  const { calls: made, timers } = await ada.finished(id);
  expect(made.map(({ tool, status }) => [tool, status])).toEqual([
    ['remind_later', 'completed'],
    ['repeat', 'completed'],
  ]);
  expect(timers.map(({ kind, text }) => [kind, text]).sort()).toEqual([
    ['once', 'Drink water'],
    ['repeat', 'Stretch'],
  ]);
  await vigil.advance('PT2H');
  await vigil.advanceUntil(async () => wordsOf(await ada.read(id)).some(([, words]) => words === 'Drink!'));
});
