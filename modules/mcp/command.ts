import type { ModuleCommand } from '../../core/module';

export const command: ModuleCommand = {
  name: 'mcp',
  help: [
    'pull <file>  reads the tools of an MCP server that the file declares, for review',
    'check <file> tells whether the server has changed them since',
  ],
  run: async (args, say) => (await import('./pull-command')).mcp(args, say),
};
