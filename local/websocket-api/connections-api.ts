import { BodyTooLarge, readBody, send, sendJson } from '../app/http-server';
import { type ServiceHandler, sendAwsError } from '../aws/aws-endpoint';
import { AwsError } from '../aws/aws-error';
import type { Connection } from './connections';
import { messageLimit, type WebsocketApi } from './websocket-api';

/**
 * The API for backends to post to, describe and close connections:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-how-to-call-websocket-api-connections.html
 *
 *     aws --endpoint-url http://127.0.0.1:4566/<stage> apigatewaymanagementapi post-to-connection --connection-id … --data …
 */
const connectionPath = /^\/([^/@]+)\/@connections\/([^/]+)$/;

/** `authorize` throws if the caller may not do this with the connection. */
export function connectionsApi(
  api: WebsocketApi,
  authorize: (accessKeyId: string, action: string, resource: string) => void,
): ServiceHandler {
  return async (request, response, { accessKeyId }) => {
    const body = await readBody(request, messageLimit).catch((error: Error) => error);
    try {
      const [, stage, encoded] = connectionPath.exec(new URL(request.url ?? '/', 'http://local').pathname) ?? [];
      if (!encoded || stage !== api.stage) throw forbidden();
      const method = request.method ?? '';
      const connectionId = decodeURIComponent(encoded);
      try {
        authorize(accessKeyId, 'execute-api:ManageConnections', `${api.arn}/${method}/@connections/${connectionId}`);
      } catch (error) {
        throw forbidden((error as Error).message);
      }
      const connection = api.connections.find(connectionId);
      if (!connection) throw new AwsError('GoneException', 'The connection has ended.', 410);
      if (method === 'GET') return sendJson(response, 200, connection.describe());
      if (method === 'DELETE') {
        connection.close();
        return send(response, 204, '', {});
      }
      if (method !== 'POST') throw forbidden();
      post(connection, body);
      send(response, 200, '', {});
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      sendAwsError(response, error);
    }
  };
}

function post(connection: Connection, body: Buffer | Error): void {
  if (body instanceof BodyTooLarge) throw new AwsError('PayloadTooLargeException', 'Message too long', 413);
  if (body instanceof Error) throw body;
  if (connection.isFull())
    throw new AwsError('LimitExceededException', 'The WebSocket client side buffer is full.', 429);
  connection.send(body.toString());
}

const forbidden = (message = 'Forbidden') => new AwsError('ForbiddenException', message, 403);
