import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CallToolResult, createMcpHandler, Server } from '@modelcontextprotocol/server';

const tool = {
  name: 'book-seat',
  title: 'Book a seat',
  description: 'Reserves a seat on a train, asks where it should be, and books it.',
  inputSchema: {
    type: 'object' as const,
    properties: { train: { type: 'string', description: 'The number of the train' } },
    required: ['train'],
  },
};

/**
 * A server of revision 2026-07-28 only, by the SDK. Its tool has an effect before it asks: it reserves. What it has reserved is in the state
 * that it gets back, so it reserves no second time.
 */
export async function startStation() {
  /** The requests that reserved and that booked, by the ids of Vigil's calls. */
  const reserved: string[] = [];
  const booked: string[] = [];
  const released: string[] = [];
  const revisions = new Set<unknown>();

  function station(): Server {
    const server = new Server({ name: 'station', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools: [tool] }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const { train } = params.arguments as { train: string };
      const id = String(mcpReq._meta?.['vigil/call-id']);
      const state = mcpReq.requestState();
      if (state === undefined) {
        reserved.push(id);
        return {
          resultType: 'input_required',
          inputRequests: {
            seat: {
              method: 'elicitation/create',
              params: {
                mode: 'form',
                message: `Which seat on ${train}?`,
                requestedSchema: {
                  type: 'object',
                  properties: { seat: { type: 'string', enum: ['window', 'aisle'] } },
                  required: ['seat'],
                },
              },
            },
          },
          requestState: JSON.stringify({ id, train }),
        } as never;
      }
      const said: CallToolResult = { content: [] };
      const { train: kept } = JSON.parse(state as string) as { train: string };
      const { action, content } = (mcpReq.inputResponses?.seat ?? {}) as {
        action?: string;
        content?: { seat?: string };
      };
      if (action !== 'accept') {
        released.push(id);
        return { ...said, content: [{ type: 'text', text: `Released the seat on ${kept}.` }] };
      }
      booked.push(id);
      return { ...said, content: [{ type: 'text', text: `Booked ${kept}: ${content?.seat}.` }] };
    });
    return server;
  }

  const http = createServer(async (request, response) => {
    const sent = await text(request);
    const headers = request.headers as Record<string, string>;
    revisions.add(headers['mcp-protocol-version']);
    const init = { method: request.method!, headers, ...(sent && { body: sent }) };
    const answer = await createMcpHandler(station, { legacy: 'reject' }).fetch(
      new Request(`http://${headers.host}${request.url}`, init),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    ...{ reserved, booked, released, revisions },
    stop() {
      http.closeAllConnections();
      return new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
