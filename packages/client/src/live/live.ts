import { type LiveSocket, openLiveSocket, type SocketClass } from './live-socket';
import type { ServerMessage, Ticket } from './protocol';
import { keyOf, subscriptions, type Topic } from './subscriptions';

/**
 * The protocol of docs/live-protocol.md for all who follow something, over one connection. It is open while somebody
 * does.
 */
export interface Live {
  /**
   * Subscribes to a topic, again after each reconnect.
   *
   * @returns what ends it.
   * @throws Error if there is no WebSocket.
   */
  follow(topic: Topic, follower: Follower): () => void;
  /**
   * Says that the user writes a message in a conversation that is followed.
   *
   * @returns false if nothing was said, because there is no connection yet.
   */
  typing(conversationId: string): boolean;
  readonly connection: Connection;
  /** The error of the last attempt to connect, if it has failed. */
  readonly problem: unknown;
  /** @returns what ends it. */
  onConnection(listener: () => void): () => void;
  /** Connects at once: after the network has changed, or the device has slept. */
  reconnect(): void;
}

/** `idle`: nobody follows anything. */
export type Connection = 'idle' | 'connecting' | 'live' | 'lost';

export interface Follower {
  /** The subscription is acknowledged: read now. What is committed later will be heard. */
  subscribed(): void;
  /** The connection works, and a push may have been lost: read again. */
  pong?(): void;
  heard(message: ServerMessage): void;
  /** There is no such conversation. */
  gone?(): void;
  /** Of a conversation: whether the user sees it, so that nothing of it is sent to their devices. */
  isShown?(): boolean;
}

export interface LiveOptions {
  ticket(): Promise<Ticket>;
  /** By default, the runtime's own. Node 20 has none. */
  WebSocket?: SocketClass;
}

/** A connection that cannot be opened within this time counts as lost. */
const soonMs = 4_000;
/** The connection outlives its last follower for so long, because the next one often follows at once. */
const lingerMs = 1_000;

interface Followed {
  topic: Topic;
  followers: Set<Follower>;
  isAcknowledged: boolean;
  /** Whether the server believes that the user sees it. */
  isWatched: boolean;
}

export function openLive({ ticket, WebSocket = globalThis.WebSocket }: LiveOptions): Live {
  const followed = new Map<string, Followed>();
  const listeners = new Set<() => void>();
  let connection: Connection = 'idle';
  let problem: unknown;
  let socket: LiveSocket | undefined;
  let soon: ReturnType<typeof setTimeout> | undefined;
  let linger: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  const asked = subscriptions((message) => socket?.send(message));

  function become(next: Connection, why?: unknown): void {
    if (next === connection && why === problem) return;
    connection = next;
    problem = why;
    for (const listener of [...listeners]) listener();
  }
  const lost = () => {
    if (connection === 'live') become('lost');
  };

  function open(): void {
    clearTimeout(linger);
    if (socket) return;
    if (!WebSocket)
      throw new Error(
        'There is no WebSocket: pass one to createClient, for example `WebSocket` of the package ws, or use Node 22.',
      );
    become('connecting');
    soon = setTimeout(() => connection === 'connecting' && become('lost', problem), soonMs);
    socket = openLiveSocket({
      WebSocket,
      ticket,
      opened() {
        become('live');
        for (const one of followed.values()) {
          Object.assign(one, { isAcknowledged: false, isWatched: false });
          asked.subscribe(one.topic);
        }
      },
      closed: lost,
      failed: (error) => become(connection, error),
      heard(message) {
        // The browser may wrongly report that its network is gone, and a laptop's own server needs none.
        if (connection === 'lost') become('live');
        hear(message);
      },
      visibility: tellAll,
    });
  }

  function close(): void {
    clearTimeout(soon);
    socket?.close();
    socket = undefined;
    become('idle');
  }

  /** Says whether the user sees a conversation, unless the server knows. */
  function tell(one: Followed): void {
    if (!one.isAcknowledged || !('conversationId' in one.topic)) return;
    const visible = [...one.followers].some(({ isShown }) => isShown?.());
    if (!visible && !one.isWatched) return;
    one.isWatched = visible;
    turn += 1;
    socket?.send({ action: 'watch', conversationId: one.topic.conversationId, visible, turn });
  }
  const tellAll = () => followed.forEach(tell);

  const each = (topic: Topic, act: (follower: Follower) => void) => {
    for (const follower of [...(followed.get(keyOf(topic))?.followers ?? [])]) act(follower);
  };

  function hear(message: ServerMessage): void {
    switch (message.type) {
      case 'subscribed':
        subscribed(topicOf(message));
        break;
      case 'unsubscribed': {
        // Followed again meanwhile. Each message is a separate invocation, so a later one may be handled first.
        const one = followed.get(keyOf(message));
        if (one) asked.subscribe(one.topic);
        break;
      }
      case 'rows':
      case 'delta':
      case 'here':
      case 'typing':
      case 'read':
      case 'changed':
        each(message, (follower) => follower.heard(message));
        break;
      case 'deleted':
        for (const topic of [{ list: true } as const, message]) each(topic, (follower) => follower.heard(message));
        break;
      case 'notice':
        each({ list: true }, (follower) => follower.heard(message));
        break;
      case 'watched':
        break;
      case 'pong':
        asked.again();
        tellAll();
        for (const { topic, isAcknowledged } of [...followed.values()])
          if (isAcknowledged) each(topic, (follower) => follower.pong?.());
        break;
      case 'error':
        refused(message);
        break;
      default:
        // An error of API Gateway itself has no type: some request failed. A type that is not known is of a later server.
        if ((message as { type?: string }).type === undefined) asked.later();
    }
  }

  function subscribed(topic: Topic): void {
    asked.acknowledged(topic);
    const one = followed.get(keyOf(topic));
    if (one) {
      one.isAcknowledged = true;
      tell(one);
      each(topic, (follower) => follower.subscribed());
      // Left before the acknowledgement. The unsubscribe may have been handled before the subscribe.
    } else asked.unsubscribe(topic);
  }

  function refused({ status, conversationId }: Extract<ServerMessage, { type: 'error' }>): void {
    if (status === 404 && conversationId) {
      asked.forget({ conversationId });
      each({ conversationId }, (follower) => follower.gone?.());
      return;
    }
    // It was watched, and left before that arrived.
    if (status === 409 && conversationId && !followed.has(conversationId)) return;
    // Somebody who only reads it said that they write.
    if (status === 403) return;
    // 401: the connection is no longer known. 409: it has too many subscriptions.
    asked.later(status === 401 || status === 409 ? () => socket?.reconnectNow() : undefined);
  }

  return {
    follow(topic, follower) {
      open();
      const key = keyOf(topic);
      const one = followed.get(key) ?? { topic, followers: new Set(), isAcknowledged: false, isWatched: false };
      followed.set(key, one);
      one.followers.add(follower);
      asked.subscribe(topic);
      return () => {
        if (!one.followers.delete(follower)) return;
        tell(one);
        if (one.followers.size > 0) return;
        followed.delete(key);
        asked.unsubscribe(topic);
        if (followed.size === 0) linger = setTimeout(close, lingerMs);
      };
    },
    typing(conversationId) {
      const isFollowed = connection === 'live' && followed.get(conversationId)?.isAcknowledged === true;
      if (isFollowed) socket?.send({ action: 'typing', conversationId });
      return isFollowed;
    },
    get connection() {
      return connection;
    },
    get problem() {
      return problem;
    },
    onConnection(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    reconnect: () => socket?.reconnectNow(),
  };
}

/** Returns what a message is about. */
const topicOf = (about: Topic): Topic => {
  if ('conversationId' in about) return { conversationId: about.conversationId };
  return 'list' in about ? { list: true } : { approvals: true };
};
