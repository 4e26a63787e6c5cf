import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defects, exploreWith, testWith } from './defects';
import { exploreInProcesses } from './processes';

/**
 * `npm run test:explore`, with `--seeds 20000` for more schedules, `--seed 17` for one with all that happened in it, or
 * `--defects` to see which planted defects are found, with `--only words` those that have these words in their names.
 * `--processes 1` leaves the other processors to others.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    processes: { type: 'string', default: String(availableParallelism()) },
    enough: { type: 'string', default: '5' },
    defects: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

/** A planted defect must be found within so many schedules. */
const { seeds = values.defects ? '3000' : '2000' } = values;

/** Where the schedules stay that broke a promise. */
const kept = '.vigil/explored';

async function main(): Promise<void> {
  if (values.defects) return plant();
  const { schedules, violations, met, digest, cpuSeconds } = await exploreInProcesses({
    first: Number(values.seed ?? 1),
    seeds: values.seed ? 1 : Number(seeds),
    enough: Number(values.enough),
    processes: Number(values.processes),
  });
  for (const [what, times] of [...met].sort())
    if (!what.includes(' at ')) console.log(`${String(times).padStart(8)}  ${what}`);
  for (const { seed, broken, schedule } of violations) {
    const said = `seed ${seed}:\n  ${schedule.join('\n  ')}\n\n  ${broken.join('\n  ')}\n`;
    console.log(`\n${said}`);
    mkdirSync(kept, { recursive: true });
    writeFileSync(join(kept, `seed-${seed}.txt`), said);
  }
  console.log(`\n${cpuSeconds.toFixed(0)} CPU seconds, ${(schedules / cpuSeconds).toFixed(0)} schedules in each`);
  console.log(`digest: ${(digest >>> 0).toString(16).padStart(8, '0')}`);
  console.log(`schedules: ${schedules}, violations: ${violations.length}`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}

/** Plants each defect until it is found for the first time, and lists them: those that take longest last. */
async function plant(): Promise<void> {
  const left = defects.filter(({ name }) => name.includes(values.only));
  const rows: { name: string; by: string; schedules: number; isFound: boolean }[] = [];
  const plantNext = async () => {
    for (let defect = left.shift(); defect; defect = left.shift()) {
      const { name, test } = defect;
      const found = test ? await testWith(defect, test) : await exploreWith(defect, Number(seeds));
      const { by, schedules = 0, broken } = found;
      rows.push({ name, by, schedules, isFound: broken !== undefined });
      console.log(`${broken ? 'found' : 'NOT FOUND'} by ${by}: ${name}`);
      if (broken) console.log(`    ${broken}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.processes) }, plantNext));
  rows.sort((one, other) => Number(other.isFound) - Number(one.isFound) || one.schedules - other.schedules);
  console.log('\n| defect | found by |\n|---|---|');
  for (const { name, by, isFound } of rows) console.log(`| ${name} | ${isFound ? by : `nothing: ${by}`} |`);
  const missed = rows.filter(({ isFound }) => !isFound).length;
  console.log(`\ndefects: ${rows.length}, not found: ${missed}`);
  process.exitCode = missed > 0 ? 1 : 0;
}

void main();
