import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type CallToolResult, createMcpHandler, ProtocolError, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { tasksExtension } from '../../../modules/mcp/connection';

const inputOf = (name: string, description: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string', description } },
  required: [name],
});
const tools = [
  {
    name: 'book-seat',
    title: 'Book a seat',
    description: 'Reserves a seat on a train, asks where it should be, and books it.',
    inputSchema: inputOf('train', 'The number of the train'),
  },
  {
    name: 'plan-trip',
    title: 'Plan a trip',
    description: 'Plans a trip, which takes hours or days.',
    inputSchema: inputOf('to', 'The city'),
  },
];

/** A form with the choice of one of several words. */
const choice = (message: string, field: string, words: string[]) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: { type: 'string', enum: words } },
      required: [field],
    },
  },
});

/** A trip that the server plans as a task. */
export interface Trip {
  callId: string;
  to: string;
  /** When it asked how far it is. */
  looks: number;
  /** So many looks find it at work. */
  works: number;
  by?: string;
  cancelled?: true;
}
const OfTask = z.looseObject({ taskId: z.string() });

/**
 * A server of revision 2026-07-28 only, by the SDK. One of its tools has an effect before it asks: it reserves. What it has reserved is in the
 * state that it gets back, so it reserves no second time. The other one is a task, of which each call has one, however often it is made.
 */
export async function startStation() {
  /** The requests that reserved and that booked, by the ids of Vigil's calls. */
  const reserved: string[] = [];
  const booked: string[] = [];
  const released: string[] = [];
  const revisions = new Set<unknown>();
  const trips = new Map<string, Trip>();
  /** How often a trip that begins is found at work. */
  const next = { works: 1 };

  function station(): Server {
    const server = new Server(
      { name: 'station', version: '1' },
      { capabilities: { tools: {}, extensions: { [tasksExtension]: {} } } },
    );
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const { train, to } = params.arguments as { train: string; to: string };
      const id = String(mcpReq._meta?.['vigil/call-id']);
      if (params.name === 'plan-trip') return planned(id, to) as never;
      const state = mcpReq.requestState();
      if (state === undefined) {
        reserved.push(id);
        return {
          resultType: 'input_required',
          inputRequests: {
            seat: choice(`Which seat on ${train}?`, 'seat', ['window', 'aisle']),
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
    server.setRequestHandler('tasks/get', { params: OfTask }, ({ taskId }) => {
      const trip = tripOf(taskId);
      trip.looks++;
      if (trip.cancelled) return stateOf(taskId, 'cancelled');
      if (trip.to === 'Rome' && trip.by === undefined)
        return {
          ...stateOf(taskId, 'input_required'),
          inputRequests: { by: choice('How do you travel to Rome?', 'by', ['train', 'plane']) },
        };
      if (trip.looks <= trip.works) return stateOf(taskId, 'working');
      const result: CallToolResult = { content: [{ type: 'text', text: `A trip to ${trip.to}${trip.by ?? ''}.` }] };
      return { ...stateOf(taskId, 'completed'), result };
    });
    server.setRequestHandler('tasks/update', { params: OfTask }, ({ taskId }, { mcpReq }) => {
      const { content } = (mcpReq.inputResponses?.by ?? {}) as { content?: { by?: string } };
      tripOf(taskId).by = content?.by ? ` by ${content.by}` : ', somehow';
      return {};
    });
    server.setRequestHandler('tasks/cancel', { params: OfTask }, ({ taskId }) => {
      tripOf(taskId).cancelled = true;
      return {};
    });
    return server;
  }

  function planned(callId: string, to: string): object {
    const id = `trip ${callId}`;
    if (!trips.has(id)) trips.set(id, { callId, to, looks: 0, works: next.works });
    return { ...stateOf(id, 'working'), resultType: 'task' };
  }
  const stateOf = (taskId: string, status: string) => ({
    taskId,
    status,
    createdAt: '2026-03-01T08:00:00Z',
    lastUpdatedAt: '2026-03-01T08:00:00Z',
    ttlMs: null,
    pollIntervalMs: 2_000,
  });
  function tripOf(id: string): Trip {
    const trip = trips.get(id);
    if (trip) return trip;
    throw new ProtocolError(-32_602, 'There is no such task.');
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
    reserved,
    booked,
    released,
    revisions,
    trips,
    next,
    stop() {
      http.closeAllConnections();
      return new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}
