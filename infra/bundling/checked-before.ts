import type { Plugin } from 'esbuild';

/**
 * Leaves the checks of tool definitions out of the bundles. The synthesis has checked the same definitions. A cold
 * start would repeat the checks, and they take longer than the rest of a function's start.
 */
export const checkedBefore: Plugin = {
  name: 'checked-before',
  setup(build) {
    build.onLoad({ filter: /[\\/]core[\\/]agent[\\/]tool-checks\.ts$/ }, () => ({
      contents: 'export const checkedTool = (tool) => tool;',
      loader: 'js',
    }));
  },
};
