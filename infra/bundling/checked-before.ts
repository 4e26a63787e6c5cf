import type { Plugin } from 'esbuild';

/**
 * Leaves the checks of tool definitions out of the bundles. The synthesis has checked the same definitions. A cold
 * start would repeat the checks, and they take longer than the rest of a function's start.
 */
export const checkedBefore: Plugin = {
  name: 'checked-before',
  setup(build) {
    for (const [file, contents] of Object.entries(unchecked))
      build.onLoad({ filter: new RegExp(`[\\\\/]core[\\\\/]\\w+[\\\\/]${file}\\.ts$`) }, () => ({
        contents,
        loader: 'js',
      }));
  },
};

const unchecked = {
  'agent[\\\\/]tool-checks': 'export const checkedTool = (tool) => tool;',
  'agent[\\\\/]agent-checks':
    'const nothing = () => undefined;\nexport { nothing as checkSpec, nothing as checkAgent, nothing as checkRegistered };',
  'guards[\\\\/]guard-checks': 'export const checkedGuard = (guard) => guard;',
  'schemas[\\\\/]schema-mistakes': 'export const mistakeIn = () => undefined;',
  'models[\\\\/]extra': 'export const checkExtra = () => undefined;',
  'models[\\\\/]hosted-checks':
    'export const checked = (name, options) => options;\nexport const checkHosted = () => undefined;',
  'models[\\\\/]provider-checks':
    'const nothing = () => undefined;\nexport { nothing as checkProvider, nothing as checkModels };',
};
