import type { Duplex } from 'node:stream';
import type { Clock } from 'vigil-stepfunctions';
import type { WebSocket } from 'ws';
import type { ConnectionContext } from './events';
import { watchFrames } from './frames';

/**
 * The open connections, with API Gateway's limits: 32 KB per frame, 10 minutes idle, 2 hours in total, both by the
 * local clock.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html
 */
export interface Connections {
  open(context: ConnectionContext, webSocket: WebSocket, socket: Duplex): Connection;
  /** Returns undefined for a closed connection. */
  find(connectionId: string): Connection | undefined;
}

export interface Connection {
  /** Records a message of the client. @returns false if the connection has ended, and the message must be ignored. */
  heard(): boolean;
  send(text: string): void;
  /** Whether the client's unread data exceeds the buffer. */
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
/** The time to wait for a client to acknowledge a close. */
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
  /** Called as soon as the connection can no longer be used. */
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

  /** There is one alarm at a time. Activity does not reset it; the check sets the next one. */
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
