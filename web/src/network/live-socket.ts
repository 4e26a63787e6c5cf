import ReconnectingWebSocket from 'partysocket/ws';
import type { Ticket } from '../../../core/live/live';
import { newBackoff } from './backoff';
import { type ClientMessage, pingSeconds, type ServerMessage } from './protocol';

export interface LiveSocket {
  /** Sends a message, which is lost without a connection. Send what matters again after each `opened`. */
  send(message: ClientMessage): void;
  /** Connects at once instead of after the pause. */
  hurry(): void;
  close(): void;
}

export interface LiveSocketOptions {
  ticket(): Promise<Ticket>;
  opened(): void;
  /**
   * The connection is closed, or the browser reports that its network is gone. A message received later proves that it
   * works.
   */
  closed(): void;
  heard(message: ServerMessage): void;
}

/**
 * A ping must be answered, or another message arrive, within this time. Otherwise the connection is considered dead.
 */
const patienceMs = 10_000;
/** A connection that lasts this long counts as a success. */
const heldMs = 5_000;

/** Opens the live view's connection. It reconnects after a growing pause, each time with a new ticket. */
export function openLiveSocket({ ticket, opened, closed, heard }: LiveSocketOptions): LiveSocket {
  const pause = newBackoff();
  const address = async () => {
    await pause.wait();
    const { url, ticket: once } = await ticket();
    return `${url}?ticket=${encodeURIComponent(once)}`;
  };
  const socket = new ReconnectingWebSocket(address, null, {
    // The pauses are our own, because the library's cannot be cut short: during one, `reconnect` does nothing.
    minReconnectionDelay: 0,
    maxReconnectionDelay: 0,
    connectionTimeout: 10_000,
    maxEnqueuedMessages: 0,
  });
  let deaf: ReturnType<typeof setTimeout> | undefined;
  let held: ReturnType<typeof setTimeout> | undefined;

  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const send = (message: ClientMessage) => {
    if (isOpen()) socket.send(JSON.stringify(message));
  };
  // Reconnects even if the socket seems open: after a network change or sleep it may be dead.
  const hurry = () => {
    pause.skip();
    socket.reconnect();
  };
  const ping = () => {
    if (!isOpen()) return;
    send({ action: 'ping' });
    clearTimeout(deaf);
    deaf = setTimeout(hurry, patienceMs);
  };
  const pings = setInterval(ping, pingSeconds * 1_000);

  socket.addEventListener('open', () => {
    held = setTimeout(pause.reset, heldMs);
    opened();
  });
  socket.addEventListener('message', ({ data }) => {
    clearTimeout(deaf);
    heard(JSON.parse(String(data)) as ServerMessage);
  });
  const ended = () => {
    clearTimeout(deaf);
    clearTimeout(held);
    closed();
  };
  socket.addEventListener('close', ended);
  socket.addEventListener('error', ended);

  const offline = () => {
    closed();
    // A laptop's own server needs no network.
    ping();
  };
  const visible = () => {
    if (document.visibilityState !== 'visible') return;
    if (isOpen()) ping();
    else pause.skip();
  };
  addEventListener('online', hurry);
  addEventListener('offline', offline);
  document.addEventListener('visibilitychange', visible);
  return {
    send,
    hurry,
    close() {
      clearInterval(pings);
      clearTimeout(deaf);
      removeEventListener('online', hurry);
      removeEventListener('offline', offline);
      document.removeEventListener('visibilitychange', visible);
      socket.close();
    },
  };
}
