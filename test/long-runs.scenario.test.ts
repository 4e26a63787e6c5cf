import { startVigil, type Vigil } from './support/clouds/vigil';
import { largestState, statesEntered } from './support/history';
import { call } from './support/stories/transcript';

// Runs that are long in steps and in bytes, beyond what a user may spend in a day by default.

/** On a busy machine, a step takes half a second. */
const patienceMs = 1_800_000;
jest.setTimeout(2 * patienceMs);
const variables = { VIGIL_MAX_USER_DAY_TOKENS: '1000000000' };

describe('a long run', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  test('200 steps: segments hand over long before 25,000 events, 3 transitions a step (R106, R107, R108)', async () => {
    const steps = 200;
    vigil = await startVigil({
      variables,
      script: (_request, index) => (index < steps - 1 ? call(`c${index}`, 'current_time', {}) : { text: 'Enough.' }),
    });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Count to two hundred');
    const done = await ada.until(id, ({ status }) => status !== 'running', patienceMs);
    expect(done.run).toMatchObject({ status: 'done', step: steps });
    expect(vigil.model.calls).toBe(steps);

    const executions = await vigil.ended(done.run!.id);
    expect(executions).toHaveLength(done.run!.segment);
    expect(executions.length).toBeGreaterThan(1);
    expect(executions.every(({ status }) => status === 'SUCCEEDED')).toBe(true);
    const histories = await vigil.histories(done.run!.id);
    for (const history of histories) expect(history.length).toBeLessThan(12_500);
    // A hand-over costs four: the CallModel that decides it, Route, ContinueAsNew, Done.
    expect(histories.flatMap(statesEntered).length).toEqual(3 * steps + 4 * (executions.length - 1));
  });

  test('40 steps with results of 100 KB: the state stays under 8 KiB, and the model sees every result whole (R106)', async () => {
    const steps = 40;
    const script = (_request: unknown, index: number) =>
      index < steps ? call(`c${index}`, 'large_result', { kilobytes: 100 }) : { text: 'That was a lot.' };
    vigil = await startVigil({ script, variables });
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Read it all');
    const done = await ada.until(id, ({ status }) => status !== 'running', patienceMs);
    expect(done.run).toMatchObject({ status: 'done', step: steps + 1 });
    const results = vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => String(content).length)).toEqual(Array(steps).fill(100_000));
    expect(largestState(await vigil.history(done.run!.id))).toBeLessThan(8_192);
  });
});
