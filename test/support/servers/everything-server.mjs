// The reference MCP server, over streamable HTTP on 127.0.0.1. Its own program listens on all addresses. Prints its address.

import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createServer } from '@modelcontextprotocol/server-everything/dist/server/index.js';

const sessions = new Map();

async function newSession() {
  const { server, cleanup } = createServer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => {
      sessions.delete(id);
      cleanup(id);
    },
  });
  await server.connect(transport);
  return transport;
}

const http = createHttpServer(async (request, response) => {
  const transport = sessions.get(request.headers['mcp-session-id']) ?? (await newSession());
  await transport.handleRequest(request, response);
});
http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
