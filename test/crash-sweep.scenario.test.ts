import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from './crash/assemble';
import { stories } from './crash/stories';
import { sweep } from './crash/sweep';

// A sample of the crash sweep, of processes and of the table's answers; `npx tsx test/crash/run.ts` tries every place.

/** What everything else is made of, and what moves money; `npx tsx test/crash/run.ts` tells them all. */
const told = ['reminder', 'approval', 'deferred', 'transfer'];
/** A few points of each story; of those at the table, in the story that moves money. */
const samples = [
  { kinds: ['crash', 'kill'], of: told, sample: 2 },
  { kinds: ['errors-500'], of: ['transfer'], sample: 1 },
];

describe('wherever a process or an answer of the table is lost, nothing is lost or done twice', () => {
  const assembly = mkdtempSync(join(tmpdir(), 'vigil-crash-assembly-'));
  beforeAll(() => assemble(assembly));
  afterAll(() => rmSync(assembly, { recursive: true, force: true }));

  test.each(told)(
    'in the story %s (R17, R18, R27, R119)',
    async (name) => {
      const said: string[] = [];
      const story = stories.filter((one) => one.name === name);
      for (const { kinds, of, sample } of samples.filter((one) => one.of.includes(name))) {
        const tally = await sweep({ stories: story, assembly, kinds, sample, log: (line) => said.push(line) });
        expect([of, tally, said]).toMatchObject([of, { lost: 0, doubled: 0, unfinished: 0 }, expect.anything()]);
        expect(tally.tried).toBeGreaterThan(0);
      }
    },
    600_000,
  );
});
