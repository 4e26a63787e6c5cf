import type { Plugin } from 'esbuild';

/**
 * Leaves the checks of tool definitions out of the bundles. Synthesizing the stack has made them on the same definitions;
 * each cold start would repeat them, and they take longer than everything else that a function does as it loads.
 */
export const checkedBefore: Plugin = {
  name: 'checked-before',
  setup(build) {
    build.onLoad({ filter: /[\\/]core[\\/]tool-checks\.ts$/ }, () => ({
      contents: 'export const checkedTool = (tool) => tool;',
      loader: 'js',
    }));
  },
};
