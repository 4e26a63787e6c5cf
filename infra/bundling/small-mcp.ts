import type { Plugin } from 'esbuild';

/**
 * Shrinks the MCP server by a sixth. The SDK's server imports a JSON schema validator for tools that it checks itself, and Vigil's server
 * checks its own. The client in `modules/mcp` keeps it.
 */
export const smallMcp: Plugin = {
  name: 'small-mcp',
  setup(build) {
    build.onResolve({ filter: /\/ajvProvider-[\w-]+\.mjs$/ }, ({ importer }) =>
      /@modelcontextprotocol[\\/]server[\\/]/.test(importer)
        ? { path: 'no-validator', namespace: 'small-mcp' }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'small-mcp' }, () => ({
      contents: 'export { NoValidator as n };\nclass NoValidator {}',
      loader: 'js',
    }));
  },
};
