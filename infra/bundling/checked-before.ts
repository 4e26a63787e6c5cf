import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from './entries';

/**
 * Leaves checks of definitions out of the bundles. The synthesis has checked the same definitions. A cold start would repeat
 * the checks, and they take longer than the rest of a function's start. What a function's variables may change, such as the
 * address of a provider, is checked there as well.
 */
export const checkedBefore: Plugin = {
  name: 'checked-before',
  setup(build) {
    for (const [file, contents] of Object.entries(unchecked))
      build.onLoad({ filter: new RegExp(`[\\\\/]core[\\\\/]\\w+[\\\\/]${file}\\.ts$`) }, ({ path }) =>
        path.startsWith(join(root, 'core')) ? { contents, loader: 'js' } : undefined,
      );
    // The synthesis alone grants rights.
    build.onLoad({ filter: /[\\/]modules[\\/][\w-]+[\\/]rights\.ts$/ }, ({ path }) =>
      path.startsWith(join(root, 'modules'))
        ? { contents: 'export const rights = undefined;', loader: 'js' }
        : undefined,
    );
  },
};

const unchecked = {
  'agent[\\\\/]tool-checks': 'export const checkedTool = (tool) => tool;',
  'agent[\\\\/]agent-checks':
    'const nothing = () => undefined;\nexport { nothing as checkSpec, nothing as checkAgent, nothing as checkRegistered };',
  'guards[\\\\/]guard-checks': 'export const checkedGuard = (guard) => guard;',
  'schemas[\\\\/]schema-mistakes': 'export const mistakeIn = () => undefined;',
  'models[\\\\/]extra': 'export const checkExtra = () => undefined;',
  'models[\\\\/]provider-rules': 'export const providerRule = () => undefined;',
};
