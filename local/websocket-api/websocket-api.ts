import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from 'vigil-stepfunctions';
import { WebSocketServer } from 'ws';
import type { Lambda } from '../lambda/lambda';
import { type Connections, openConnections } from './connections';
import { type ConnectionContext, connectEvent, disconnectEvent, messageEvent, newConnectionId } from './events';
import type { Route } from './routes';
import type { SocketApi } from './socket-api';

/** Rejects a handshake. */
function refuse(socket: Duplex, status: number): void {
  const message = status >= 500 ? 'Internal server error' : (STATUS_CODES[status] ?? 'Forbidden');
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'connection: close',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Serves the template's WebSocket API. */
export interface WebsocketApi {
  /** Handles an upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  connections: Connections;
  /** The prefix of the connections' ARNs: `arn:aws:execute-api:<region>:<account>:<api>/<stage>`. */
  arn: string;
  stage: string;
}

export interface WebsocketApiOptions {
  /** Called for each message, so that an open connection uses the routes of the latest deployment. */
  api: () => SocketApi;
  lambda: Lambda;
  clock: Clock;
  /** Whether the function's resource policy lets API Gateway invoke it for this route. */
  mayInvoke: (functionArn: string, sourceArn: string) => boolean;
}

/** The limit of a message in bytes. A larger one closes the connection with 1009. */
export const messageLimit = 131_072;
const binaryNotSupported = 1_003;

export function websocketApi(options: WebsocketApiOptions): WebsocketApi {
  const { lambda, clock } = options;
  const { apiId, stage, arn } = options.api();
  const connections = openConnections(clock);
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: messageLimit });

  return { upgrade, connections, arn, stage };

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    connect(request, socket, head).catch(() => refuse(socket, 500));
  }

  async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'http://local');
    if (pathname.replace(/\/$/, '') !== `/${stage}`) return refuse(socket, 403);
    const context: ConnectionContext = {
      apiId,
      stage,
      connectionId: newConnectionId(),
      connectedAt: clock.now(),
      domainName: request.headers.host ?? '',
      userAgent: request.headers['user-agent'] ?? '',
    };
    const route = options.api().routes.find('$connect');
    const answer = route && (await invoke(route, connectEvent(context, request, clock.now())));
    if (route && !answer) return refuse(socket, 502);
    if (answer?.statusCode !== undefined && (answer.statusCode < 200 || answer.statusCode > 299))
      return refuse(socket, answer.statusCode);
    if (socket.destroyed) return disconnected(context, 1006, '');
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = connections.open(context, webSocket, socket);
      webSocket.on('message', (data, isBinary) => {
        if (isBinary) return webSocket.close(binaryNotSupported, 'Binary is not supported');
        if (!connection.heard()) return;
        receive(context, String(data), connection.send).catch(() => undefined);
      });
      webSocket.once('close', (code, reason) => disconnected(context, code, reason.toString()));
    });
  }

  /** Messages are handled in parallel. API Gateway guarantees no order either. */
  async function receive(context: ConnectionContext, body: string, send: (text: string) => void): Promise<void> {
    const requestId = randomUUID();
    const failed = (message: string) =>
      send(JSON.stringify({ message, connectionId: context.connectionId, requestId }));
    const route = options.api().routes.select(body);
    if (!route) return failed('Forbidden');
    const answer = await invoke(route, messageEvent(context, route.routeKey, { body, requestId }, clock.now()));
    if (!answer) return failed('Internal server error');
    if (route.responds && answer.body) send(answer.body);
  }

  function disconnected(context: ConnectionContext, code: number, reason: string): void {
    const route = options.api().routes.find('$disconnect');
    if (route) invoke(route, disconnectEvent(context, code, reason, clock.now())).catch(() => undefined);
  }

  /** Returns undefined if the function failed, may not be invoked, or timed out. */
  async function invoke({ functionArn, routeKey, timeoutMs }: Route, event: object) {
    if (!options.mayInvoke(functionArn, `${arn}/${routeKey}`)) return undefined;
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const { payload, functionError } = await lambda.invoke(functionArn, JSON.stringify(event), signal);
      if (functionError) return undefined;
      return (JSON.parse(payload) ?? {}) as { statusCode?: number; body?: string };
    } catch {
      return undefined;
    }
  }
}
