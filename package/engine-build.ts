/**
 * Builds what `npm pack ./local/stepfunctions` packs besides the manifest and the README: `dist` has what Node runs, and the
 * types.
 */
import { chmodSync, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile, writeTypes } from './compile';
import { engineContents, engineFolder } from './contents';
import { place } from './place';

async function buildEngine(): Promise<void> {
  const folder = join(place, engineFolder);
  const outdir = join(folder, 'dist');
  rmSync(outdir, { recursive: true, force: true });
  const { compiled } = await engineContents();
  await compile(compiled, engineFolder, outdir);
  writeTypes('engine-tsconfig.json');
  chmodSync(join(outdir, 'main.js'), 0o755);
  copyFileSync(join(place, 'LICENSE'), join(folder, 'LICENSE'));
}

buildEngine().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
