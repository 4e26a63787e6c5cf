import { once } from 'node:events';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { ClientMessage, ServerMessage } from 'vigil-client';
import {
  conversationOf,
  type List,
  type LiveState,
  mergeList,
  mergeRows,
  nothingKnown,
  rowsOf,
  type Ticket,
} from 'vigil-client/shared';
import WebSocket from 'ws';
import type { ConversationSummary } from '../../core/base/state/schemas';
import type { User } from './api-client';
import type { Vigil } from './clouds/vigil';

/**
 * A probe of the live view's protocol (docs/live-protocol.md) that keeps everything it receives. Unlike the client of
 * an app, `user.client`, it does nothing by itself: it neither reconnects nor reads again.
 */
export interface LiveClient {
  readonly socket: WebSocket;
  /** All messages received, in order. */
  readonly received: ServerMessage[];
  /** The number of reads by GET. */
  readonly reads: number;
  send(message: ClientMessage | object): void;
  /** Returns the first later message that matches. @throws after 90 s. */
  next(holds: (message: ServerMessage) => boolean): Promise<ServerMessage>;
  /** Subscribes to a conversation, waits for the acknowledgement, reads, then merges pushed rows. */
  follow(conversationId: string): Promise<void>;
  followList(): Promise<void>;
  /** Returns what it knows of a conversation. */
  of(conversationId: string): ReturnType<typeof conversationOf>;
  list(): ConversationSummary[];
  /** Resolves once the condition holds, without reading. @throws with the latest messages, after 90 s. */
  until(holds: () => boolean): Promise<void>;
  /** Drops the connection without a close. */
  drop(): void;
  /** Connects with another ticket and keeps what it knows. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

const patienceMs = 90_000;

export const ticketOf = (user: User): Promise<Ticket> => user.client.api.ticket();

/** Resolves with the open socket, or with the status of the rejection. */
export async function handshake(address: string): Promise<WebSocket | number> {
  const socket = new WebSocket(address);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0);
      response.resume();
    });
    socket.once('error', reject);
  });
}

export async function liveClient(user: User): Promise<LiveClient> {
  const received: ServerMessage[] = [];
  const states = new Map<string, LiveState>();
  let summaries: List = new Map();
  let listeners: (() => void)[] = [];
  let reads = 0;
  let socket = await connect();

  async function connect(): Promise<WebSocket> {
    const { url, ticket } = await ticketOf(user);
    const opened = await handshake(`${url}?ticket=${ticket}`);
    if (typeof opened === 'number') throw new Error(`The handshake was refused: ${opened}`);
    opened.on('message', (data) => hear(JSON.parse(String(data)) as ServerMessage));
    opened.on('error', () => undefined);
    return opened;
  }

  function hear(message: ServerMessage): void {
    received.push(message);
    if (message.type === 'rows' && 'conversationId' in message)
      states.set(message.conversationId, mergeRows(stateOf(message.conversationId), message.rows));
    else if (message.type === 'rows')
      list(message.rows.flatMap((one) => (one.kind === 'conversation' ? [one.row] : [])));
    for (const listener of listeners) listener();
  }

  const stateOf = (conversationId: string) => states.get(conversationId) ?? nothingKnown;
  const list = (came: readonly ConversationSummary[]) => {
    summaries = mergeList(summaries, came);
  };

  async function until(holds: () => boolean): Promise<void> {
    let check: () => void = () => undefined;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve, reject) => {
      check = () => holds() && resolve();
      listeners.push(check);
      timer = setTimeout(() => reject(new Error(`Not pushed: ${JSON.stringify(received.slice(-3))}`)), patienceMs);
      check();
    }).finally(() => clearTimeout(timer));
    listeners = listeners.filter((one) => one !== check);
  }

  async function next(holds: (message: ServerMessage) => boolean): Promise<ServerMessage> {
    const from = received.length;
    let found: ServerMessage | undefined;
    await until(() => {
      found = received.slice(from).find(holds);
      return found !== undefined;
    });
    return found!;
  }

  async function ask(message: ClientMessage, holds: (answer: ServerMessage) => boolean): Promise<void> {
    const answer = next(holds);
    socket.send(JSON.stringify(message));
    await answer;
  }

  return {
    get socket() {
      return socket;
    },
    received,
    get reads() {
      return reads;
    },
    send: (message) => socket.send(JSON.stringify(message)),
    next,
    until,
    of: (conversationId) => conversationOf(stateOf(conversationId)),
    list: () => [...summaries.values()],
    async follow(conversationId) {
      const ours = (answer: ServerMessage) =>
        answer.type === 'subscribed' && 'conversationId' in answer && answer.conversationId === conversationId;
      await ask({ action: 'subscribe', conversationId }, ours);
      reads += 1;
      const read = await user.read(conversationId);
      states.set(conversationId, mergeRows(stateOf(conversationId), rowsOf(read)));
    },
    async followList() {
      await ask({ action: 'subscribe', list: true }, (answer) => answer.type === 'subscribed' && 'list' in answer);
      reads += 1;
      list((await user.list()).conversations);
    },
    drop: () => socket.terminate(),
    async reconnect() {
      socket = await connect();
    },
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** Returns how many connections show a conversation, as far as the cloud knows. */
export async function watchersOf({ table: { client, name } }: Pick<Vigil, 'table'>, id: string): Promise<number> {
  const TableName = name.replace('ConversationTable', 'LiveTable');
  const { Items } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items!.filter(({ pk, watchedUntil }) => pk === `CONVERSATION#${id}` && watchedUntil > 0).length;
}
