import { newBackoff } from './backoff';
import { type ClientMessage, pingSeconds, protocolVersion, type ServerMessage, type Ticket } from './protocol';

/** The events of a browser's network and window. Node and React Native have none. */
interface PageEvents {
  online(): void;
  offline(): void;
  /** The window was shown or hidden. */
  visibility(isVisible: boolean): void;
}

/** @returns what stops listening. */
function listenToPage({ online, offline, visibility }: PageEvents): () => void {
  if (typeof document === 'undefined' || typeof addEventListener !== 'function') return () => undefined;
  const change = () => visibility(document.visibilityState === 'visible');
  addEventListener('online', online);
  addEventListener('offline', offline);
  document.addEventListener('visibilitychange', change);
  return () => {
    removeEventListener('online', online);
    removeEventListener('offline', offline);
    document.removeEventListener('visibilitychange', change);
  };
}

/** The used part of a WebSocket: that of a browser, of Node 22, of React Native, or of the package `ws`. */
export interface Socket {
  readonly readyState: number;
  send(data: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}
export type SocketClass = new (address: string) => Socket;

export interface LiveSocket {
  /** Sends a message, which is lost without a connection. Send what matters again after each `opened`. */
  send(message: ClientMessage): void;
  /** Connects at once instead of after the pause. */
  reconnectNow(): void;
  close(): void;
}

export interface LiveSocketOptions {
  WebSocket: SocketClass;
  ticket(): Promise<Ticket>;
  opened(): void;
  /**
   * The connection is closed, or the browser reports that its network is gone. A message received later proves that it
   * works.
   */
  closed(): void;
  /** No connection could be opened. It is tried again. */
  failed(error: unknown): void;
  heard(message: ServerMessage): void;
  /** The browser's window was shown or hidden. */
  visibility(): void;
}

/** A connection that is not open after this time is given up. */
const openMs = 10_000;
/** A ping must be answered, or another message arrive, within this time. Otherwise the connection is considered dead. */
const patienceMs = 10_000;
/** A connection that lasts this long counts as a success. */
const heldMs = 5_000;
const open = 1;

/** Opens the live view's connection. It reconnects after a growing pause, each time with a new ticket. */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const { WebSocket, ticket, opened, closed, failed, heard } = options;
  const pause = newBackoff();
  /** The connection, also while it is being opened. Events of an earlier one are ignored. */
  let socket: Socket | undefined;
  let attempt = 0;
  let late: ReturnType<typeof setTimeout> | undefined;
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  let held: ReturnType<typeof setTimeout> | undefined;

  const isOpen = () => socket?.readyState === open;
  const send = (message: ClientMessage) => {
    if (isOpen()) socket!.send(JSON.stringify(message));
  };

  function drop(): void {
    for (const timer of [late, pongTimer, held]) clearTimeout(timer);
    const last = socket;
    socket = undefined;
    if (!last) return;
    last.close();
    closed();
  }

  async function connect(why?: unknown): Promise<void> {
    drop();
    attempt += 1;
    const mine = attempt;
    await pause.wait(why);
    if (mine !== attempt) return;
    try {
      const { url, ticket: once, version } = await ticket();
      if (version > protocolVersion)
        throw new Error(`The server speaks version ${version} of the live view's protocol: update this client.`);
      if (mine === attempt) listen(new WebSocket(`${url}?ticket=${encodeURIComponent(once)}`));
    } catch (error) {
      if (mine !== attempt) return;
      failed(error);
      void connect(error);
    }
  }

  function listen(one: Socket): void {
    socket = one;
    const ended = () => {
      if (socket === one) void connect();
    };
    late = setTimeout(ended, openMs);
    one.addEventListener('open', () => {
      if (socket !== one) return;
      clearTimeout(late);
      held = setTimeout(pause.reset, heldMs);
      opened();
    });
    one.addEventListener('message', ({ data }) => {
      if (socket !== one) return;
      clearTimeout(pongTimer);
      heard(JSON.parse(String(data)) as ServerMessage);
    });
    one.addEventListener('close', ended);
    one.addEventListener('error', ended);
  }

  // Reconnects even if the socket seems open: after a network change or sleep it may be dead.
  const reconnectNow = () => {
    pause.skip();
    void connect();
  };
  const ping = () => {
    if (!isOpen()) return;
    send({ action: 'ping' });
    clearTimeout(pongTimer);
    pongTimer = setTimeout(reconnectNow, patienceMs);
  };
  const pings = setInterval(ping, pingSeconds * 1_000);
  const unsubscribe = listenToPage({
    online: reconnectNow,
    offline() {
      closed();
      // A laptop's own server needs no network.
      ping();
    },
    visibility(isVisible) {
      options.visibility();
      if (!isVisible) return;
      if (isOpen()) ping();
      else pause.skip();
    },
  });
  void connect();
  return {
    send,
    reconnectNow,
    close() {
      attempt += 1;
      clearInterval(pings);
      unsubscribe();
      drop();
    },
  };
}
