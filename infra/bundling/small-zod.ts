import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Lets zod be bundled in parts, as it is made to be. Two things stand in the way, each for want of a small change:
 *
 * - Its error messages come in 60 languages (260 KB). English is what zod speaks unless told otherwise.
 * - `@hono/zod-openapi` passes zod on as a whole, to a function that needs one class of it (100 KB). Files that want the
 *   small bundle import `* as z` from zod itself and not `z` from there.
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
