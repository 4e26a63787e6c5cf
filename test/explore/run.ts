import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { explore } from './explore';

/**
 * `npm run test:explore`, with `-- --seeds 20000` for more schedules, `--seed 17` for one with all that happened in it, or
 * `--defects` to see which planted defects are found.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    enough: { type: 'string', default: '5' },
    defects: { type: 'boolean', default: false },
  },
});

/** Where the schedules stay that broke a promise. */
const kept = '.vigil/explored';

async function main(): Promise<void> {
  if (values.defects) return plant();
  const began = process.cpuUsage();
  const first = Number(values.seed ?? 1);
  const { schedules, violations, met } = await explore(
    first,
    values.seed ? 1 : Number(values.seeds),
    Number(values.enough),
  );
  for (const [what, times] of [...met].sort())
    if (!what.includes(' at ')) console.log(`${String(times).padStart(8)}  ${what}`);
  for (const { seed, broken, schedule } of violations) {
    const said = `seed ${seed}:\n  ${schedule.join('\n  ')}\n\n  ${broken.join('\n  ')}\n`;
    console.log(`\n${said}`);
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, `seed-${seed}.txt`), said);
  }
  const { user, system } = process.cpuUsage(began);
  console.log(`\n${(schedules / ((user + system) / 1e6)).toFixed(0)} schedules a CPU second`);
  console.log(`schedules: ${schedules}, violations: ${violations.length}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

async function plant(): Promise<void> {
  const { defects, exploreWith } = await import('./defects');
  let missed = 0;
  for (const defect of defects) {
    const { after, broken } = await exploreWith(defect, Number(values.seeds));
    missed += broken ? 0 : 1;
    console.log(`${broken ? `found after ${after} schedules` : `NOT FOUND in ${after} schedules`}: ${defect.name}`);
    if (broken) console.log(`    ${broken}`);
  }
  console.log(`defects: ${defects.length}, not found: ${missed}`);
  process.exitCode = missed > 0 ? 1 : 0;
}

void main();
