import type { Plugin } from 'esbuild';

/**
 * Shrinks the MCP server by a fifth. The SDK's server imports a JSON schema validator for the answers to its questions, and Vigil's server
 * asks its clients nothing. The client in `runtime/mcp` keeps it.
 */
export const smallMcp: Plugin = {
  name: 'small-mcp',
  setup(build) {
    build.onResolve({ filter: /validation[\\/]ajv-provider\.js$/ }, ({ importer }) =>
      /[\\/]server[\\/]index\.js$/.test(importer) ? { path: 'no-validator', namespace: 'small-mcp' } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'small-mcp' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
      loader: 'js',
    }));
  },
};
