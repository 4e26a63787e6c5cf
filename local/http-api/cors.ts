import type { IncomingMessage } from 'node:http';

/**
 * CORS as in API Gateway: its headers replace those of the function, and preflight requests without a matching route
 * never reach the function.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
export interface CorsConfiguration {
  AllowCredentials?: boolean;
  AllowHeaders?: string[];
  AllowMethods?: string[];
  AllowOrigins?: string[];
  ExposeHeaders?: string[];
  MaxAge?: number;
}

export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/**
 * Returns the headers of every response to `origin`: none if it is not allowed, so the browser rejects the response.
 */
export function corsHeaders(cors: CorsConfiguration, origin: string | undefined): Record<string, string> {
  const allowed = origin === undefined ? undefined : allowedOrigin(cors, origin);
  if (!allowed) return {};
  return {
    'access-control-allow-origin': allowed,
    ...(cors.AllowCredentials ? { 'access-control-allow-credentials': 'true' } : {}),
    ...(cors.ExposeHeaders?.length ? { 'access-control-expose-headers': cors.ExposeHeaders.join(',') } : {}),
  };
}

export function preflightHeaders(cors: CorsConfiguration, { headers }: IncomingMessage): Record<string, string> {
  const base = corsHeaders(cors, headers.origin);
  if (Object.keys(base).length === 0) return {};
  return {
    ...base,
    'access-control-allow-headers': (cors.AllowHeaders ?? []).join(','),
    'access-control-allow-methods': (cors.AllowMethods ?? []).join(','),
    ...(cors.MaxAge === undefined ? {} : { 'access-control-max-age': String(cors.MaxAge) }),
  };
}

function allowedOrigin({ AllowOrigins = [] }: CorsConfiguration, origin: string): string | undefined {
  if (AllowOrigins.includes('*')) return '*';
  const matches = (allowed: string) => {
    const [scheme, rest] = allowed.split('//');
    return allowed === origin || (rest === '*' && origin.startsWith(`${scheme}//`)) || wildcardHost(allowed, origin);
  };
  return AllowOrigins.some(matches) ? origin : undefined;
}

/** `https://*.example.com` */
function wildcardHost(allowed: string, origin: string): boolean {
  const [start, end, more] = allowed.split('*');
  if (end === undefined || more !== undefined || !start) return false;
  return origin.length > start.length + end.length && origin.startsWith(start) && origin.endsWith(end);
}
