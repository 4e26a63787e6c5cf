import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { clientBuild } from './client-build';
import { place } from './place';

const built = (more: object) =>
  build({ absWorkingDir: place, outdir: 'dist', outbase: '.', ...clientBuild, ...more, write: false, metafile: true });

test('for browsers, the client imports nothing and the hooks React alone (R177)', async () => {
  const { metafile } = await built({ entryPoints: ['client/index.ts', 'client/react/index.ts'] });
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  expect(new Set(outside.map(({ path }) => path))).toEqual(new Set(['react']));
  expect(
    Object.keys(metafile.inputs).filter(
      (file) =>
        !/^client\/|^core\/(live\/live-merge|schemas\/definition|store\/text-of-pieces|text\/errors|time\/retry-after)\.ts$/.test(
          file,
        ),
    ),
  ).toEqual([]);
  expect(Object.keys(metafile.outputs)).toEqual(['dist/client/index.mjs', 'dist/client/react/index.mjs']);
  // Otherwise there would be two of it.
  const { inputs } = metafile.outputs['dist/client/react/index.mjs']!;
  expect(Object.keys(inputs)).toEqual(['client/react/hooks.ts', 'client/react/index.ts']);
});

test('the client is small: at most 8 KB, compressed (R177)', async () => {
  const { outputFiles } = await built({ entryPoints: ['client/index.ts'], minify: true });
  expect(outputFiles).toHaveLength(1);
  expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(8_000);
});
