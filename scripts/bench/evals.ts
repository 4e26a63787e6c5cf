import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSeconds } from './cpu';
import { type Figure, root, run } from './measure';

const cases = 50;

/** The agents' front desk hands over, a tool reads, and the model answers: three steps. */
const file = (entry: string) => `
import { called, defineEval } from ${JSON.stringify(entry)};
const named = Array.from({ length: ${cases} }, (_, index) => 'case ' + index);
export default defineEval({
  name: 'fifty',
  agent: 'bank',
  cases: named.map((name) => ({ name, says: 'What is my balance?', holds: [called('get_balance')] })),
});
`;

/**
 * Measures `npx vigil eval` with 50 cases and the stand-in model, which answers at once: the CPU seconds of the command and
 * of all that it starts, the cloud and its table included. The first run, which synthesizes the template, is not counted.
 * Linux only.
 */
export async function evalsBench(): Promise<Figure[]> {
  const kept = join(root, '.vigil/test');
  mkdirSync(kept, { recursive: true });
  const folder = mkdtempSync(join(kept, 'bench-evals-'));
  try {
    const path = join(folder, 'fifty.eval.ts');
    writeFileSync(path, file(join(root, 'package/eval')));
    const play = () =>
      run([process.execPath, '--import', 'tsx', 'package/cli/main.ts', 'eval', path], { limitMs: 600_000 });
    await play();
    const before = cpuSeconds(process.pid);
    const { output, ms } = await play();
    if (!output.includes(`${cases} of ${cases} hold.`)) throw new Error(`Cases do not hold: ${output.slice(-500)}`);
    const value = cpuSeconds(process.pid) - before;
    const note = `CPU of all processes; ${(ms / 1_000).toFixed(0)} s of time`;
    return [{ key: 'fiftyCasesSeconds', name: `${cases} cases, 150 steps`, value, unit: 's', bar: 25, note }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
