import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { accessLogTime } from '../http-api/event';

/**
 * The events that a WebSocket API sends to its functions.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-develop-integrations-lambda.html
 */
export interface ConnectionContext {
  apiId: string;
  stage: string;
  connectionId: string;
  connectedAt: number;
  domainName: string;
  userAgent: string;
}

/** Returns an id like API Gateway's: `L0SM9cOFvHcCIhw=`. The `=` tests that callers encode it in addresses. */
export const newConnectionId = (): string => `${randomBytes(11).toString('base64url')}=`;

export function connectEvent(context: ConnectionContext, request: IncomingMessage, now: number): object {
  const headers = pairsOf(request.rawHeaders);
  const query = [...new URL(request.url ?? '/', 'http://local').searchParams];
  return {
    headers: Object.fromEntries(headers),
    multiValueHeaders: grouped(headers),
    ...(query.length && {
      queryStringParameters: Object.fromEntries(query),
      multiValueQueryStringParameters: grouped(query),
    }),
    requestContext: requestContext(context, { routeKey: '$connect', eventType: 'CONNECT' }, now),
    isBase64Encoded: false,
  };
}

export function messageEvent(
  context: ConnectionContext,
  routeKey: string,
  { body, requestId }: { body: string; requestId: string },
  now: number,
): object {
  const messageId = `${randomBytes(11).toString('base64url')}=`;
  return {
    requestContext: requestContext(context, { routeKey, messageId, eventType: 'MESSAGE', requestId }, now),
    body,
    isBase64Encoded: false,
  };
}

export function disconnectEvent(context: ConnectionContext, code: number, reason: string, now: number): object {
  const ended = { disconnectStatusCode: code, disconnectReason: reason };
  return {
    headers: { Host: context.domainName },
    multiValueHeaders: { Host: [context.domainName] },
    requestContext: requestContext(context, { routeKey: '$disconnect', eventType: 'DISCONNECT', ...ended }, now),
    isBase64Encoded: false,
  };
}

function requestContext({ userAgent, ...context }: ConnectionContext, more: object, now: number): object {
  return {
    requestId: randomUUID(),
    ...more,
    extendedRequestId: randomUUID(),
    requestTime: accessLogTime(now),
    messageDirection: 'IN',
    requestTimeEpoch: now,
    identity: { sourceIp: '127.0.0.1', userAgent },
    ...context,
  };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}

function grouped(pairs: readonly [string, string][]): Record<string, string[]> {
  const names = [...new Set(pairs.map(([name]) => name))];
  return Object.fromEntries(
    names.map((name) => [name, pairs.filter(([one]) => one === name).map(([, value]) => value)]),
  );
}
