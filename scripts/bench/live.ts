import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkOut } from '../../test/support/clouds/npm-start';
import { type Figure, median, times } from './measure';

const changed = {
  toolMs: { file: 'tools/current-time.ts', name: 'a saved tool to live' },
  agentMs: { file: 'agents/reminder-agent.ts', name: 'a saved agent to live' },
  coreMs: { file: 'core/base/text/errors.ts', name: 'a saved file that all functions have' },
};

/**
 * Measures the time from saving a file while `npm start` runs, with the shipped agents, to the line that says it is
 * live.
 */
export async function liveBench(): Promise<Figure[]> {
  const checkout = await checkOut({ agents: true });
  try {
    const { says } = await checkout.start({ VIGIL_STATE_DIR: join(checkout.root, '.vigil') });
    let version = 0;
    const save = async (file: string) => {
      const text = readFileSync(join(checkout.root, file), 'utf8');
      const begun = performance.now();
      checkout.write(file, `${text}\n(globalThis as { version?: number }).version = ${++version};\n`);
      await says(/Live in/);
      return performance.now() - begun;
    };
    // `npm start` warms up for the first change.
    await save('tools/current-time.ts');
    const figures: Figure[] = [];
    for (const [key, { file, name }] of Object.entries(changed)) {
      const value = median(await times(5, () => save(file)));
      figures.push({ key, name, value, unit: 'ms', note: 'median of 5', ...(key !== 'coreMs' && { bar: 2_000 }) });
    }
    return figures;
  } finally {
    await checkout.dispose();
  }
}
