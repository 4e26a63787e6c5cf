import { startVigil } from './support/clouds/vigil';
import { largestState, statesEntered } from './support/history';
import { stopAfterEach } from './support/stop-after-each';

const stopped = stopAfterEach();

/** Each step makes as many calls as a reply may have, which fills the history soonest. */
const [steps, calls, kilobytes] = [12, 16, 25];

test('192 calls with results of 25 KB: segments hand over long before 25,000 events, in the transitions of a step, whose state stays under 8 KiB, and the model sees every result whole (R106, R107, R108)', async () => {
  const reply = (index: number) => ({
    toolCalls: Array.from({ length: calls }, (_, nth) => ({
      id: `c${index}_${nth}`,
      name: 'large_result',
      arguments: { kilobytes },
    })),
  });
  const vigil = stopped(
    await startVigil({
      // More than a user may spend in a day by default.
      variables: { VIGIL_MAX_USER_DAY_TOKENS: '1000000000' },
      script: (_request, index) => (index < steps ? reply(index) : { text: 'That was a lot.' }),
    }),
  );
  const ada = await vigil.user();
  const { id } = await ada.start('tester', 'Read it all');
  const { run } = await ada.until(id, ({ status }) => status !== 'running', 900_000);
  expect(run).toMatchObject({ status: 'done', step: steps + 1 });
  expect(vigil.model.calls).toBe(steps + 1);
  const results = vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => String(content).length)).toEqual(Array(steps * calls).fill(kilobytes * 1_000));

  const executions = await vigil.ended(run!.id);
  expect(executions).toHaveLength(run!.segment);
  expect(executions.length).toBeGreaterThan(1);
  expect(executions.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
  const histories = await vigil.histories(run!.id);
  for (const history of histories) {
    expect(history.length).toBeLessThan(12_500);
    expect(largestState(history)).toBeLessThan(8_192);
  }
  // A hand-over costs four: the CallModel that decides it, Route, ContinueAsNew, Done.
  const perStep = 3 + 2 * calls;
  expect(histories.flatMap(statesEntered).length).toEqual(perStep * steps + 3 + 4 * (executions.length - 1));
}, 1_800_000);
