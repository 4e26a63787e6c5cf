/** `vigil/mcp`: tools of MCP servers (docs/mcp.md). @packageDocumentation */
export type { McpAuth, McpClient } from '../core/conversations/mcp/auth';
export { type McpServer, type McpSpec, type McpToolSettings, mcp } from '../core/conversations/mcp/server';
export { serveMcp } from '../runtime/mcp/serve-mcp';
