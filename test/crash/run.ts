/**
 * The crash sweep: `npx tsx test/crash/run.ts [--story reminder] [--sample 20] [--kind lost] [--at-a-time 3]`.
 * Exits with 1 where anything was lost, was doubled, or did not come to its end.
 */
import { parseArgs } from 'node:util';
import { playOn } from './assemble';
import { stories } from './stories';
import { sweep } from './sweep';

const { values } = parseArgs({
  options: {
    story: { type: 'string', multiple: true },
    sample: { type: 'string' },
    kind: { type: 'string', multiple: true },
    'at-a-time': { type: 'string', default: '3' },
  },
});
const chosen = stories.filter(({ name }) => !values.story || values.story.includes(name));
if (!chosen.length) {
  console.error(`There are the stories ${stories.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

void playOn(async (assembly) => {
  const { tried, byKind, missed, lost, doubled, unfinished } = await sweep({
    stories: chosen,
    assembly,
    sample: values.sample === undefined ? undefined : Number(values.sample),
    kinds: values.kind,
    atATime: Number(values['at-a-time']),
    log: console.log,
  });
  if (missed) console.log(`not reached: ${missed}`);
  for (const [kind, count] of Object.entries(byKind)) console.log(`  ${kind}: ${count}`);
  console.log(`crash points tried: ${tried}, lost: ${lost}, doubled: ${doubled}, unfinished: ${unfinished}`);
  return tried > 0 && lost + doubled + unfinished === 0;
});
