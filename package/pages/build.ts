import type { BuildOptions } from 'esbuild';

/** The imports of pages, as one module each, for browsers, bundlers and Node's `import`. */
export const pagesBuild = {
  entryPoints: ['client', 'react', 'ai-sdk', 'ag-ui', 'export'].map((name) => `package/pages/${name}.ts`),
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  outExtension: { '.js': '.mjs' },
} satisfies BuildOptions;
