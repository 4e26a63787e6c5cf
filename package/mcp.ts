/** `vigil/mcp`: tools of MCP servers (docs/mcp.md). @packageDocumentation */
export type { McpAuth, McpClient } from '../modules/mcp/auth';
export { serveMcp } from '../modules/mcp/serve-mcp';
export { type McpServer, type McpSpec, type McpToolSettings, mcp } from '../modules/mcp/server';
