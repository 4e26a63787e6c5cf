import { join } from 'node:path';
import { build } from 'esbuild';
import { pageSources } from './page';

const root = join(__dirname, '../..');

test('whatever the page imports is among its sources, so that a change of it is built again', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['web/src/main.tsx'],
    bundle: true,
    external: ['*.css', 'virtual:*'],
    packages: 'external',
    format: 'esm',
    outdir: 'web/dist',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const files = Object.keys(metafile.inputs);
  expect(files.length).toBeGreaterThan(100);
  const isSource = (file: string) => pageSources.some((source) => file === source || file.startsWith(`${source}/`));
  expect(files.filter((file) => !isSource(file))).toEqual([]);
  expect(pageSources).toContain('packages/client/src');
});
