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
    for (const [file, contents] of Object.entries(unchecked)) {
      // From the root, because an app may have a file of such a path.
      const filter = new RegExp(`^${asPattern(root)}[\\\\/]${file.replaceAll('/', '[\\\\/]')}\\.ts$`);
      build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    }
  },
};

const asPattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Files by patterns of their paths from the root, and what functions have in their place. */
const unchecked = {
  'core/conversations/agent/tool-checks': 'export const checkedTool = (tool) => tool;',
  'core/conversations/agent/agent-checks':
    'const nothing = () => undefined;\nexport { nothing as checkSpec, nothing as checkAgent, nothing as checkRegistered };',
  'core/conversations/guards/guard-checks': 'export const checkedGuard = (guard) => guard;',
  'core/base/schemas/schema-mistakes': 'export const mistakeIn = () => undefined;',
  'core/base/models/extra': 'export const checkExtra = () => undefined;',
  'core/base/models/provider-rules': 'export const providerRule = () => undefined;',
  // The synthesis alone grants rights.
  'modules/[\\w-]+/rights': 'export const rights = undefined;',
  // `vigil check` alone asks what rows use of the code.
  'modules/[\\w-]+/uses': 'export const uses = undefined;',
};
