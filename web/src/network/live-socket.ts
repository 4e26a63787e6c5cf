import ReconnectingWebSocket from 'partysocket/ws';
import type { Ticket } from '../../../core/live/live';
import { newBackoff } from './backoff';
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
  /** It is gone, or the browser says that its network is: what is heard afterwards shows that it was not. */
  closed(): void;
  heard(message: ServerMessage): void;
}

/** A ping is answered, or anything else comes, within this time: otherwise nothing reaches us any more. */
const patienceMs = 10_000;
/** A connection that lasts so long has gone well. */
const heldMs = 5_000;

/** The live view's connection, which comes back by itself after a pause that grows: each time with a new ticket. */
export function openLiveSocket({ ticket, opened, closed, heard }: LiveSocketOptions): LiveSocket {
  const pause = newBackoff();
  const address = async () => {
    await pause.wait();
    const { url, ticket: once } = await ticket();
    return `${url}?ticket=${encodeURIComponent(once)}`;
  };
  const socket = new ReconnectingWebSocket(address, null, {
    // The pause is ours, since theirs cannot be cut short: while it lasts, `reconnect` does nothing.
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
  // Also where it seems to be open: what a network or a sleep leaves behind may be deaf.
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
    // A laptop's own server is there without any network.
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
