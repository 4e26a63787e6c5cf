import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiGatewayManagementApiClient, PostToConnectionCommand } from '@aws-sdk/client-apigatewaymanagementapi';
import WebSocket from 'ws';
import { startLocalCloud } from '../../../local/cloud';
import { handwritten, lambdaResources } from '../handwritten/assembly';
import { websocketApiResources } from '../handwritten/websocket-api';

export interface SocketEvent {
  headers?: Record<string, string>;
  queryStringParameters?: object;
  multiValueQueryStringParameters?: object;
  body?: string;
  requestContext: { connectionId: string; [field: string]: unknown };
}

export type SocketFixture = Awaited<ReturnType<typeof startSocketFixture>>;

/** Records every event, and rejects or fails on request. */
const source = `
const { appendFileSync } = require('node:fs');
exports.handler = async (event) => {
  appendFileSync(process.env.SEEN, JSON.stringify(event) + '\\n');
  const { routeKey } = event.requestContext;
  if (routeKey === '$connect') return { statusCode: Number(event.queryStringParameters?.answer ?? 200) };
  if (event.body?.includes('fail')) throw new Error('inside');
  if (event.body?.includes('address')) return { statusCode: 200, body: process.env.CONNECTIONS_URL };
  return { statusCode: 200, body: JSON.stringify(event) };
};`;

/** For tests: a cloud with a WebSocket API whose only function echoes its events. */
export async function startSocketFixture() {
  const seen = mkdtempSync(join(tmpdir(), 'vigil-seen-'));
  const CONNECTIONS_URL = { 'Fn::Sub': 'https://${Socket}.execute-api.${AWS::Region}.${AWS::URLSuffix}/live' };
  const routes = ['$connect', '$disconnect', '$default', 'quiet', 'tell'];
  const resources = {
    ...lambdaResources('Fn', { environment: { CONNECTIONS_URL, SEEN: join(seen, 'events') } }),
    ...websocketApiResources('Fn', routes, ['$default', 'tell']),
  };
  const made = handwritten(resources, { Fn: source });
  const cloud = await startLocalCloud({ assembly: made.assembly, stateDirectory: made.stateDirectory });
  const client = (accessKeyId: string) =>
    new ApiGatewayManagementApiClient({
      endpoint: `${cloud.awsUrl}/live`,
      region: 'us-east-1',
      maxAttempts: 1,
      credentials: { accessKeyId, secretAccessKey: 'test' },
    });
  const gateway = client('test');
  const socketUrl = () => `${cloud.url.replace('http', 'ws')}/live`;

  async function ask(socket: WebSocket, text: string): Promise<string> {
    const answer = once(socket, 'message');
    socket.send(text);
    return String((await answer)[0]);
  }
  const tell = async (socket: WebSocket, text = '{"action":"tell"}') =>
    JSON.parse(await ask(socket, text)) as SocketEvent;

  return {
    cloud,
    client,
    gateway,
    socketUrl,
    ask,
    tell,
    idOf: async (socket: WebSocket) => (await tell(socket)).requestContext.connectionId,
    async open(query = ''): Promise<WebSocket> {
      const socket = new WebSocket(socketUrl() + query);
      await once(socket, 'open');
      return socket;
    },
    /** Returns the status that a handshake is rejected with. */
    refusal: (url: string) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
        socket.once('open', () => reject(new Error('it was let in')));
        socket.once('error', () => undefined);
      }),
    /** Returns the code that a connection is closed with. */
    closing: async (socket: WebSocket) => (await once(socket, 'close'))[0] as number,
    /** Returns the first of the function's events that matches. */
    async given(holds: (context: SocketEvent['requestContext']) => boolean): Promise<SocketEvent> {
      for (let look = 0; look < 500; look++) {
        const lines = readFileSync(join(seen, 'events'), 'utf8').split('\n').filter(Boolean);
        const events = lines.map((line) => JSON.parse(line) as SocketEvent);
        const found = events.find(({ requestContext }) => holds(requestContext));
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw new Error('The function was not given it.');
    },
    post: (ConnectionId: string, Data: string) => gateway.send(new PostToConnectionCommand({ ConnectionId, Data })),
    /** Returns the status and the name of the error, or `done`. */
    refused: (work: Promise<unknown>) =>
      work.then(
        () => 'done',
        (error: Error & { $metadata: { httpStatusCode: number } }) => `${error.$metadata.httpStatusCode} ${error.name}`,
      ),
    async stop() {
      gateway.destroy();
      await cloud.stop();
      made.remove();
      rmSync(seen, { recursive: true });
    },
  };
}
