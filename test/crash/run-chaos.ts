/**
 * All stories at once in one cloud that is killed, and whose functions and writes fail: `npm run test:chaos [-- --copies 5] [--kills 10]
 * [--faults 60] [--seed 1]`. Exits with 1 where anything was lost, was doubled, or was left over.
 */
import { parseArgs } from 'node:util';
import { playOn } from './assemble';
import { tellTogether } from './chaos';
import { differences } from './compare';

const { values } = parseArgs({
  options: {
    copies: { type: 'string', default: '5' },
    kills: { type: 'string', default: '10' },
    faults: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
  },
});

void playOn(async (assembly) => {
  const [copies, seed] = [Number(values.copies), Number(values.seed)];
  // To the same users, because each customer of the bank has an account of its own.
  const quiet = await tellTogether(assembly, { copies, kills: 0, faults: 0, seed }, (line) =>
    console.log(`without trouble: ${line}`),
  );
  const trouble = { copies, kills: Number(values.kills), faults: Number(values.faults), seed };
  const found = await tellTogether(assembly, trouble, console.log);
  const wrong = [
    ...quiet.leftovers.map((one) => `left without trouble: ${one}`),
    ...differences(quiet.facts, found.facts),
    ...found.leftovers.map((one) => `left: ${one}`),
  ];
  console.log(`seed ${seed}; killed ${found.struck.kills} times, faults ordered: ${found.struck.faults.length}`);
  console.log(`requests to the model: ${found.requests}, ${quiet.requests} without trouble`);
  console.log(`facts: ${found.facts.length}, different or left over: ${wrong.length}`);
  for (const line of wrong) console.log(`  ${line}`);
  return wrong.length === 0;
});
