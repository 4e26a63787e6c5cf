import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Makes zod tree-shakable. Two things stand in the way:
 *
 * - Its error messages come in 60 languages (260 KB). Only English, the default, is kept.
 * - `@hono/zod-openapi` passes all of zod to a function that needs one class of it (100 KB). Files that need a small
 *   bundle import `* as z` from zod, not `z` from `@hono/zod-openapi`.
 */
export const smallZod: Plugin = {
  name: 'small-zod',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
    build.onLoad({ filter: /[\\/]@hono[\\/]zod-openapi[\\/]dist[\\/]index\.mjs$/ }, async ({ path }) => ({
      contents: `import { ZodType } from 'zod';\n${(await readFile(path, 'utf8')).replace(
        'extendZodWithOpenApi(z);',
        'extendZodWithOpenApi({ ZodType });',
      )}`,
      loader: 'js',
    }));
  },
};
