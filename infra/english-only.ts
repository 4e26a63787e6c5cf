import type { Plugin } from 'esbuild';

/**
 * Leaves zod's error messages in 60 languages out of the bundles: a library that passes zod on as a whole would bring
 * 260 KB of them. English is what zod speaks unless told otherwise.
 */
export const englishOnly: Plugin = {
  name: 'english-only',
  setup(build) {
    build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};
