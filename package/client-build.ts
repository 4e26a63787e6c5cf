import type { BuildOptions } from 'esbuild';

/** The imports of pages, as one module each, for browsers, bundlers and Node's `import`. Of the client, the hooks have types only. */
export const clientBuild = {
  entryPoints: ['client/index.ts', 'client/react/index.ts', 'package/streams/ai-sdk.ts', 'package/streams/ag-ui.ts'],
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  outExtension: { '.js': '.mjs' },
} satisfies BuildOptions;
