import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/**
 * Converts a request to payload format 2.0, and the function's result to a response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export interface EventSource {
  accountId: string;
  apiId: string;
  stage: string;
  routeKey: string;
  path: string;
  parameters: Record<string, string>;
  /** Present on a route with a JWT authorizer. */
  jwt?: { claims: Record<string, string>; scopes: string[] | null };
  now: number;
}

const textTypes = /^(?:text\/|application\/(?:[^;]+\+)?(?:json|xml|javascript)\b)/i;

export function requestEvent(request: IncomingMessage, body: Buffer, source: EventSource): object {
  const { headers } = request;
  const method = request.method ?? 'GET';
  const url = new URL(request.url ?? '/', 'http://local');
  const isBase64Encoded = body.length > 0 && !textTypes.test(headers['content-type'] ?? '');
  const host = headers.host ?? '';
  return {
    version: '2.0',
    routeKey: source.routeKey,
    rawPath: source.path,
    rawQueryString: url.search.slice(1),
    ...optional('cookies', headers.cookie?.split('; ')),
    headers: headersOf(headers),
    ...optional('queryStringParameters', queryOf(url.searchParams)),
    requestContext: {
      accountId: source.accountId,
      apiId: source.apiId,
      ...optional('authorizer', source.jwt && { jwt: source.jwt }),
      domainName: host,
      domainPrefix: host.split('.')[0],
      http: {
        method,
        path: source.path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: source.routeKey,
      stage: source.stage,
      time: accessLogTime(source.now),
      timeEpoch: source.now,
    },
    ...optional('body', body.length ? body.toString(isBase64Encoded ? 'base64' : 'utf8') : undefined),
    ...optional('pathParameters', Object.keys(source.parameters).length ? source.parameters : undefined),
    isBase64Encoded,
  };
}

interface FunctionResponse {
  statusCode: number;
  headers?: Record<string, string | number | boolean>;
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
}

/** Without a `statusCode`, the whole result is the body of a 200. */
export function sendFunctionResponse(response: ServerResponse, payload: string, extra: Record<string, string>): void {
  const result: unknown = JSON.parse(payload);
  const given = isResponse(result)
    ? result
    : { statusCode: 200, headers: { 'content-type': 'application/json' }, body: text(result) };
  const body = Buffer.from(given.body ?? '', given.isBase64Encoded ? 'base64' : 'utf8');
  const headers = Object.entries(given.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  response.writeHead(given.statusCode, {
    'content-type': 'text/plain;charset=UTF-8',
    ...Object.fromEntries(headers.filter(([name]) => name !== 'transfer-encoding')),
    ...(given.cookies?.length ? { 'set-cookie': given.cookies } : {}),
    ...extra,
    'content-length': String(body.length),
  });
  response.end(body);
}

function isResponse(result: unknown): result is FunctionResponse {
  return typeof (result as FunctionResponse | null)?.statusCode === 'number';
}

function text(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result);
}

function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name, value]) => name !== 'cookie' && value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

function queryOf(query: URLSearchParams): Record<string, string> | undefined {
  const names = [...new Set(query.keys())];
  return names.length ? Object.fromEntries(names.map((name) => [name, query.getAll(name).join(',')])) : undefined;
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
}

/** `12/Mar/2026:19:03:58 +0000` */
export function accessLogTime(now: number): string {
  const [, day, month, year, time] = new Date(now).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
