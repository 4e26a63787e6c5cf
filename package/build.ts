/**
 * `npm run prepack`, which `npm pack` runs first: builds what the package has besides sources (see `contents.ts`). `dist`
 * gets each file compiled to CommonJS, in the repository's folders, what pages import as modules, and the types. `web/dist`
 * gets the page.
 */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { workerBuild } from '../local/lambda/sandbox';
import { builtPage } from '../local/npm-start/page';
import manifest from '../package.json';
import { compile, writeTypes } from './compile';
import { packageContents } from './contents';
import { pagesBuild } from './pages/build';
import { place } from './place';
import { dropInnerTypes, shareHelpers } from './shrink';

const outdir = join(place, 'dist');

async function buildPackage(): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  const { compiled } = await packageContents();
  await compile(compiled, '', outdir);
  shareHelpers(outdir);
  const settings = { absWorkingDir: place, outdir, outbase: place, logLevel: 'warning' } as const;
  await build({ ...settings, ...pagesBuild });
  // A function's thread has no other file.
  await build({ ...settings, ...workerBuild, entryPoints: ['local/lambda/worker.ts'] });
  writeTypes(__dirname);
  dropInnerTypes(outdir, exportedTypes());
  chmodSync(join(outdir, 'package/cli/main.js'), 0o755);
  await builtPage(place);
}

/** The files with types that `exports` names. Those of tools have one entry with a star. */
const exportedTypes = (): string[] => [
  ...Object.values(manifest.exports).flatMap((entry) =>
    entry !== null && typeof entry === 'object' && !entry.types.includes('*') ? [join(place, entry.types)] : [],
  ),
  ...readdirSync(join(outdir, 'tools'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.d.ts'))
    .map((path) => join(outdir, 'tools', path)),
];

buildPackage().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
