import { setMaxListeners } from 'node:events';
import { ToolSchema } from '@modelcontextprotocol/core';
import { assertShallow, wellFormedJson } from '../../core/base/json/foreign-json';
import type { Session } from './connection';
import { type PinnedTool, pinnedFields } from './pin';
import { AnyResult } from './result';

const mostPages = 50;

/**
 * Returns all tools of a server, by name. One that is none of the protocol's is left out, as if the server did not have it.
 *
 * @throws Error if two have one name, or the list does not end.
 */
export async function listTools({ client, orAsItIs }: Session, signal: AbortSignal): Promise<Map<string, PinnedTool>> {
  const tools = new Map<string, PinnedTool>();
  let cursor: string | undefined;
  // The SDK adds one for each request.
  setMaxListeners(2 * mostPages, signal);
  for (let page = 0; page < mostPages; page++) {
    // Not `client.listTools`, which compiles the server's schemas before anybody has reviewed them.
    const params = cursor === undefined ? {} : { cursor };
    const { tools: listed, nextCursor } = await orAsItIs(
      client.request({ method: 'tools/list', params }, AnyResult, { signal }),
    );
    for (const one of Array.isArray(listed) ? listed : []) {
      const { data } = ToolSchema.safeParse(one);
      if (!data) continue;
      assertShallow(`tool ${data.name}`, data);
      // Providers refuse a description with half a character.
      const tool = wellFormedJson(pinnedFields(data));
      if (tools.has(tool.name)) throw new Error(`The server lists two tools with the name ${tool.name}.`);
      tools.set(tool.name, tool);
    }
    cursor = typeof nextCursor === 'string' ? nextCursor : undefined;
    if (!cursor) return tools;
  }
  throw new Error(`The server lists more than ${mostPages} pages of tools.`);
}
