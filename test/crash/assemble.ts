import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileCloud } from '../support/clouds/compile-cloud';
import { scenarioSources, synthesized } from '../support/clouds/synthesized';

/**
 * Plays on a separate assembly, and ends the process.
 *
 * @param isWell whether all came out as it should.
 */
export async function playOn(isWell: (assembly: string) => Promise<boolean>): Promise<never> {
  const assembly = mkdtempSync(join(tmpdir(), 'vigil-crash-assembly-'));
  const begun = performance.now();
  let well = false;
  try {
    await assemble(assembly);
    well = await isWell(assembly);
    console.log(`${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  } catch (error) {
    console.error((error as Error).stack);
  } finally {
    rmSync(assembly, { recursive: true, force: true });
  }
  process.exit(well ? 0 : 1);
}

/** Synthesizes what the stories run on: the shipped agents and those under test. */
export async function assemble(folder: string): Promise<void> {
  await compileCloud();
  await synthesized(folder, scenarioSources);
}
