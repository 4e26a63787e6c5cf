import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from './crash/assemble';
import { stories } from './crash/stories';
import { sweep } from './crash/sweep';

// A sample of the crash sweep, of processes and of the table's answers, in the story that moves money: `npx tsx test/crash/run.ts`
// tries every place of all stories.

describe('wherever a process or an answer of the table is lost, nothing is lost or done twice', () => {
  const assembly = mkdtempSync(join(tmpdir(), 'vigil-crash-assembly-'));
  beforeAll(() => assemble(assembly));
  afterAll(() => rmSync(assembly, { recursive: true, force: true }));

  test.each([
    { kinds: ['crash', 'kill'], sample: 3 },
    { kinds: ['errors-500'], sample: 1 },
  ])(
    'by $kinds, while money is transferred (R17, R18, R27, R119)',
    async (faults) => {
      const said: string[] = [];
      const transfer = stories.filter(({ name }) => name === 'transfer');
      const tally = await sweep({ stories: transfer, assembly, ...faults, log: (line) => said.push(line) });
      expect([tally, said]).toMatchObject([{ lost: 0, doubled: 0, unfinished: 0 }, expect.anything()]);
      expect(tally.tried).toBeGreaterThan(0);
    },
    600_000,
  );
});
