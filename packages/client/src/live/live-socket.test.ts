import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { type LiveSocketOptions, openLiveSocket } from './live-socket';
import type { ServerMessage } from './protocol';

let server: WebSocketServer;
let url: string;
let connections: WebSocket[];
beforeEach(async () => {
  connections = [];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (connection) => connections.push(connection));
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const connection of server.clients) connection.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a socket, and notes what happens. */
function given(more: Partial<LiveSocketOptions> = {}) {
  const events: string[] = [];
  let noted: () => void = () => undefined;
  const note = (event: string) => {
    events.push(event);
    noted();
  };
  let tickets = 0;
  const socket = openLiveSocket({
    WebSocket,
    async ticket() {
      tickets += 1;
      return { url, ticket: `t${tickets}`, expiresInSeconds: 60, version: 1 };
    },
    opened: () => note('opened'),
    closed: () => note('closed'),
    failed: (error) => note(`failed: ${(error as Error).message}`),
    heard: (message) => note(`heard ${message.type}`),
    visibility: () => undefined,
    ...more,
  });
  const until = async (holds: (events: readonly string[]) => boolean) => {
    while (!holds(events))
      await new Promise<void>((resolve) => {
        noted = resolve;
      });
  };
  return { socket, events, until, ticketsUsed: () => tickets };
}
const countOf = (events: readonly string[], event: string) => events.filter((one) => one === event).length;

test('a lost connection is replaced, each time with a new ticket (R177)', async () => {
  const asked: (string | undefined)[] = [];
  server.on('connection', (_, request) => asked.push(request.url));
  const { socket, events, until } = given();
  await until((all) => countOf(all, 'opened') === 1);
  connections[0]!.terminate();
  await until((all) => countOf(all, 'opened') === 2);
  socket.send({ action: 'ping' });
  const [heard] = (await once(connections[1]!, 'message')) as [Buffer];
  expect(String(heard)).toBe('{"action":"ping"}');
  connections[1]!.send(JSON.stringify({ type: 'pong' } satisfies ServerMessage));
  await until((all) => all.includes('heard pong'));
  socket.close();
  expect(events).toEqual(['opened', 'closed', 'opened', 'heard pong', 'closed']);
  expect(asked).toEqual(['/?ticket=t1', '/?ticket=t2']);
});

test('without a ticket it tries again; a protocol that it does not know is named (R177)', async () => {
  const answers = [new Error('Vigil does not respond.'), 2, 1];
  const { socket, events, until } = given({
    async ticket() {
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return { url, ticket: 't', expiresInSeconds: 60, version: answer! };
    },
  });
  await until((all) => all.includes('opened'));
  socket.close();
  expect(events.slice(0, 3)).toEqual([
    'failed: Vigil does not respond.',
    "failed: The server speaks version 2 of the live view's protocol: update this client.",
    'opened',
  ]);
});

test('a closed socket opens no connection, and what an earlier one says is ignored (R177)', async () => {
  const { socket, events, until, ticketsUsed } = given();
  await until((all) => all.includes('opened'));
  socket.reconnectNow();
  await until((all) => countOf(all, 'opened') === 2);
  connections[0]!.send(JSON.stringify({ type: 'pong' }));
  connections[1]!.send(JSON.stringify({ type: 'watched' }));
  await until((all) => all.includes('heard watched'));
  socket.reconnectNow();
  socket.close();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(events).toEqual(['opened', 'closed', 'opened', 'heard watched', 'closed']);
  expect(ticketsUsed()).toBe(2);
});
