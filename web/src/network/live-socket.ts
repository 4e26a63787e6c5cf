import ReconnectingWebSocket from 'partysocket/ws';
import type { Ticket } from '../../../core/live';
import { type ClientMessage, pingSeconds, type ServerMessage } from './protocol';

export interface LiveSocket {
  /** Lost when there is no connection: after each `opened`, say again what matters. */
  send(message: ClientMessage): void;
  /** Tries at once instead of after its pause. */
  hurry(): void;
  close(): void;
}

export interface LiveSocketOptions {
  ticket(): Promise<Ticket>;
  opened(): void;
  closed(): void;
  heard(message: ServerMessage): void;
}

/** The live view's connection, which comes back by itself after a pause that grows: each time with a new ticket. */
export function openLiveSocket({ ticket, opened, closed, heard }: LiveSocketOptions): LiveSocket {
  const address = async () => {
    const { url, ticket: once } = await ticket();
    return `${url}?ticket=${encodeURIComponent(once)}`;
  };
  const socket = new ReconnectingWebSocket(address, null, {
    // Not all pages of one outage at the same moment.
    minReconnectionDelay: 400 + Math.random() * 600,
    reconnectionDelayGrowFactor: 1.7,
    maxReconnectionDelay: 20_000,
    connectionTimeout: 10_000,
    maxEnqueuedMessages: 0,
  });
  const send = (message: ClientMessage) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  const pings = setInterval(() => send({ action: 'ping' }), pingSeconds * 1_000);
  // Also where it seems to be open: what a network leaves behind may be deaf.
  const hurry = () => socket.reconnect();
  socket.addEventListener('open', opened);
  socket.addEventListener('close', closed);
  socket.addEventListener('error', closed);
  socket.addEventListener('message', ({ data }) => heard(JSON.parse(String(data)) as ServerMessage));
  addEventListener('online', hurry);
  addEventListener('offline', closed);
  return {
    send,
    hurry,
    close() {
      clearInterval(pings);
      removeEventListener('online', hurry);
      removeEventListener('offline', closed);
      socket.close();
    },
  };
}
