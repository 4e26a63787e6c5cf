import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Clock } from '../clock';
import type { ConnectionContext } from './events';
import { watchFrames } from './frames';

/**
 * The open connections, with API Gateway's limits: 32 KB a frame, 10 minutes without a word, 2 hours at most, both by the
 * local clock. https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
export interface Connections {
  open(context: ConnectionContext, webSocket: WebSocket, socket: Duplex): Connection;
  /** Nothing for one that has ended. */
  find(connectionId: string): Connection | undefined;
}

export interface Connection {
  /** A message of the client. @returns false once nothing of it counts any more. */
  heard(): boolean;
  send(text: string): void;
  /** What the client has not taken yet is more than is kept for it. */
  isFull(): boolean;
  close(): void;
  describe(): { connectedAt: string; identity: object; lastActiveAt: string };
}

const frameLimit = 32 * 1_024;
const idleMs = 10 * 60_000;
const lifetimeMs = 2 * 3_600_000;
const bufferLimit = 1_048_576;
/** Close codes of RFC 6455. */
const normal = 1_000;
const goingAway = 1_001;
const tooLarge = 1_009;
/** A client that does not answer a close is not waited for. */
const closingMs = 1_000;

export function openConnections(clock: Clock): Connections {
  const connections = new Map<string, Connection>();
  return {
    find: (connectionId) => connections.get(connectionId),
    open(context, webSocket, socket) {
      const ended = () => connections.delete(context.connectionId);
      const connection = openConnection(clock, context, { webSocket, socket, ended });
      connections.set(context.connectionId, connection);
      return connection;
    },
  };
}

interface Wire {
  webSocket: WebSocket;
  socket: Duplex;
  /** Called as soon as nothing can be said any more. */
  ended: () => void;
}

function openConnection(clock: Clock, context: ConnectionContext, { webSocket, socket, ended }: Wire): Connection {
  const { connectedAt } = context;
  let activeAt = clock.now();
  let isOver = false;
  let alarm = clock.at(nextLook(), look);
  webSocket.on('error', () => undefined);
  webSocket.once('close', over);
  watchFrames(socket, frameLimit, () => end(tooLarge, 'Frame too large'));

  return {
    heard() {
      activeAt = clock.now();
      return !isOver;
    },
    send(text) {
      activeAt = clock.now();
      if (!isOver) webSocket.send(text);
    },
    isFull: () => webSocket.bufferedAmount > bufferLimit,
    close: () => end(normal, 'Connection Closed Normally'),
    describe: () => ({
      connectedAt: new Date(connectedAt).toISOString(),
      identity: { sourceIp: '127.0.0.1', userAgent: context.userAgent },
      lastActiveAt: new Date(activeAt).toISOString(),
    }),
  };

  function nextLook(): number {
    return Math.min(activeAt + idleMs, connectedAt + lifetimeMs);
  }

  /** One alarm at a time: a word said puts off what is looked at, not when. */
  function look(): void {
    if (clock.now() >= nextLook()) end(goingAway, 'Going away');
    else alarm = clock.at(nextLook(), look);
  }

  function end(code: number, reason: string): void {
    if (isOver) return;
    over();
    webSocket.close(code, reason);
    setTimeout(() => webSocket.terminate(), closingMs).unref();
  }

  function over(): void {
    isOver = true;
    alarm.cancel();
    ended();
  }
}
