/**
 * The crash sweep: `npm run test:crash [-- --story reminder] [--sample 20] [--kind lost] [--at-a-time 3]
 * [--loop express]`. Exits with 1 where
 * anything was lost, was doubled, or did not come to its end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { assemble } from './assemble';
import { stories } from './stories';
import { sweep } from './sweep';

async function run(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      story: { type: 'string', multiple: true },
      sample: { type: 'string' },
      kind: { type: 'string', multiple: true },
      'at-a-time': { type: 'string', default: '3' },
      loop: { type: 'string', default: 'standard' },
    },
  });
  const chosen = stories.filter(({ name }) => !values.story || values.story.includes(name));
  if (!chosen.length) throw new Error(`There are the stories ${stories.map(({ name }) => name).join(', ')}.`);
  // The stack is synthesized with it.
  process.env.VIGIL_LOOP = values.loop;
  const assembly = mkdtempSync(join(tmpdir(), 'vigil-crash-assembly-'));
  const begun = performance.now();
  try {
    await assemble(assembly);
    const { tried, byKind, missed, lost, doubled, unfinished } = await sweep({
      stories: chosen,
      assembly,
      sample: values.sample === undefined ? undefined : Number(values.sample),
      kinds: values.kind,
      atATime: Number(values['at-a-time']),
      log: console.log,
    });
    console.log(`${((performance.now() - begun) / 1_000).toFixed(0)} s`);
    if (missed) console.log(`not reached: ${missed}`);
    for (const [kind, count] of Object.entries(byKind)) console.log(`  ${kind}: ${count}`);
    console.log(`crash points tried: ${tried}, lost: ${lost}, doubled: ${doubled}, unfinished: ${unfinished}`);
    return tried > 0 && lost + doubled + unfinished === 0;
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
}

run().then(
  (well) => process.exit(well ? 0 : 1),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
