/**
 * All stories at once in one cloud that is killed, and whose functions and writes fail: `npm run test:chaos [-- --copies 5] [--kills 10]
 * [--faults 60] [--seed 1]`. Exits with 1 where anything was lost, was doubled, or was left over.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assemble } from './assemble';
import { differences, tellTogether } from './chaos';

async function run(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      copies: { type: 'string', default: '5' },
      kills: { type: 'string', default: '10' },
      faults: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Date.now() % 100_000) },
      loop: { type: 'string', default: 'standard' },
    },
  });
  const [copies, kills, faults, seed] = [values.copies, values.kills, values.faults, values.seed].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  process.env.VIGIL_LOOP = values.loop;
  const assembly = mkdtempSync(join(tmpdir(), 'vigil-chaos-assembly-'));
  const begun = performance.now();
  try {
    await assemble(assembly);
    // To the same users, because each customer of the bank has an account of its own.
    const quiet = await tellTogether(assembly, { copies, kills: 0, faults: 0, seed }, () => undefined);
    const found = await tellTogether(assembly, { copies, kills, faults, seed }, console.log);
    const different = differences(quiet.facts, found.facts);
    console.log(`seed ${seed}, ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    console.log(`killed ${found.struck.kills} times, faults ordered: ${found.struck.faults.length}`);
    console.log(`requests to the model: ${found.requests}, ${quiet.requests} without trouble`);
    console.log(`facts: ${found.facts.length}, different: ${different.length}, left over: ${found.leftovers.length}`);
    for (const line of [
      ...quiet.leftovers.map((one) => `left without trouble: ${one}`),
      ...different,
      ...found.leftovers,
    ])
      console.log(`  ${line}`);
    return different.length + found.leftovers.length + quiet.leftovers.length === 0;
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
}

run().then(
  (well) => process.exit(well ? 0 : 1),
  (error: Error) => {
    console.error(error.stack);
    process.exit(1);
  },
);
