import type { SettingOfModule } from '../../infra/settings-table';

export const settings: SettingOfModule[] = [
  {
    variable: 'VIGIL_MCP',
    option: 'mcpServer.callbackUrls',
    sets: '`on`: the agents are an [MCP server](mcp.md#agents-as-an-mcp-server); or the addresses that its clients return to after the sign-in, separated by commas',
    byDefault: '`off`, but `npm start` has it on',
  },
];
