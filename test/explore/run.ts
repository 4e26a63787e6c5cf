import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { defects, exploreWith, testWith } from './defects';
import { exploreInProcesses } from './processes';

/**
 * `npm run test:explore`, with `-- --seeds 20000` for more schedules, `--seed 17` for one with all that happened in it, or
 * `--defects` to see which planted defects are found, with `--only words` those that have these words in their names.
 * `--processes 1` leaves the other processors to others.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    processes: { type: 'string', default: String(availableParallelism()) },
    enough: { type: 'string', default: '5' },
    defects: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

/** Where the schedules stay that broke a promise. */
const kept = '.vigil/explored';

async function main(): Promise<void> {
  if (values.defects) return plant();
  const { schedules, violations, met, digest, cpuSeconds } = await exploreInProcesses({
    first: Number(values.seed ?? 1),
    seeds: values.seed ? 1 : Number(values.seeds),
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

async function plant(): Promise<void> {
  const left = defects.filter(({ name }) => name.includes(values.only));
  const planted = left.length;
  let missed = 0;
  const plantNext = async () => {
    for (let defect = left.shift(); defect; defect = left.shift()) {
      const { name, test } = defect;
      const { by, broken } = test ? await testWith(defect, test) : await exploreWith(defect, Number(values.seeds));
      missed += broken ? 0 : 1;
      console.log(`${broken ? 'found' : 'NOT FOUND'} by ${by}: ${name}`);
      if (broken) console.log(`    ${broken}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.processes) }, plantNext));
  console.log(`defects: ${planted}, not found: ${missed}`);
  process.exitCode = missed > 0 ? 1 : 0;
}

void main();
