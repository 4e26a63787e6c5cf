import { EventEmitter } from 'node:events';
import { createClient, type ServerMessage } from 'vigil-client';

/** A socket that is an object: what the server sends, the test says. */
export class Socket extends EventEmitter {
  static all: Socket[] = [];
  static latest = (): Socket => Socket.all.at(-1)!;
  readyState = 1;
  sent: { action: string; conversationId?: string }[] = [];
  constructor() {
    super();
    Socket.all.push(this);
    queueMicrotask(() => this.emit('open'));
  }
  addEventListener = (type: string, listener: (event: { data: unknown }) => void) => void this.on(type, listener);
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
    this.emit('close');
  }
  says = (message: ServerMessage) => this.emit('message', { data: JSON.stringify(message) });
  take = () => this.sent.splice(0);
}

/** An answer to a request: a body, a promise of one, or a status of a failure. */
export type Answer = object | number | Promise<object>;

/**
 * A server of one user, anew for each test, whose requests are answered at once, by their method and path. Others have 404.
 * Time is the test's.
 */
export function answering(first: Record<string, Answer> = {}) {
  const answers: Record<string, Answer> = {};
  const requests: string[] = [];
  beforeEach(() => {
    Socket.all = [];
    requests.length = 0;
    for (const line of Object.keys(answers)) delete answers[line];
    Object.assign(answers, first, { 'POST /live/tickets': { url: 'wss://x', ticket: 't', version: 1 } });
    jest.useFakeTimers({ now: Date.parse('2026-04-01T00:00:00Z') });
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, { method, body } = {}) => {
      const line = `${method} ${String(url)}`;
      requests.push(body ? `${line} ${String(body)}` : line);
      const answer = await (answers[line] ?? 404);
      return typeof answer === 'number' ? new Response('{}', { status: answer }) : Response.json(answer);
    });
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
  return { answers, requests };
}

export const clientOfSockets = () => createClient({ url: '', token: () => 't', WebSocket: Socket as never });
export const settle = () => jest.advanceTimersByTimeAsync(0);

/** A promise, and what resolves it. */
export function promised<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}
