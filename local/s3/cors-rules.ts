import type { IncomingMessage } from 'node:http';
import { matchesPattern } from '../iam/conditions';
import { S3Error } from './s3-error';

/** A rule of a bucket's `CorsConfiguration`: https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
export interface CorsRule {
  AllowedHeaders?: string[];
  AllowedMethods: string[];
  AllowedOrigins: string[];
  ExposedHeaders?: string[];
  MaxAge?: number;
}

/**
 * Returns the headers that let a page read the response: those of the first rule that its origin, its method and, in a
 * preflight request, its headers fit. Without such a rule, the response has none and the browser hides it.
 */
export function corsHeaders(rules: readonly CorsRule[], request: IncomingMessage): Record<string, string> {
  const { origin } = request.headers;
  const isPreflight = request.method === 'OPTIONS';
  const method = isPreflight ? String(request.headers['access-control-request-method']) : (request.method ?? 'GET');
  const asked = listed(isPreflight ? request.headers['access-control-request-headers'] : undefined);
  const found = rules.find((rule) => origin !== undefined && fits(rule, origin, method, asked));
  if (!found || origin === undefined) return {};
  const isForAll = found.AllowedOrigins.includes('*');
  return {
    'access-control-allow-origin': isForAll ? '*' : origin,
    'access-control-allow-methods': found.AllowedMethods.join(', '),
    ...(!isForAll && { 'access-control-allow-credentials': 'true' }),
    ...(asked.length > 0 && { 'access-control-allow-headers': asked.join(', ') }),
    ...(found.ExposedHeaders && { 'access-control-expose-headers': found.ExposedHeaders.join(', ') }),
    ...(isPreflight && found.MaxAge !== undefined && { 'access-control-max-age': String(found.MaxAge) }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  };
}

/** @throws S3Error if no rule allows what a page wants to send. */
export function preflightHeaders(rules: readonly CorsRule[], request: IncomingMessage): Record<string, string> {
  const headers = corsHeaders(rules, request);
  if (headers['access-control-allow-origin']) return headers;
  const why =
    rules.length === 0
      ? 'CORS is not enabled for this bucket.'
      : "This CORS request is not allowed. This is usually because the evalution of Origin, request method / Access-Control-Request-Method or Access-Control-Request-Headers are not whitelisted by the resource's CORS spec.";
  throw new S3Error('AccessForbidden', `CORSResponse: ${why}`, 403);
}

function fits(rule: CorsRule, origin: string, method: string, asked: readonly string[]): boolean {
  const allowed = (rule.AllowedHeaders ?? []).map((one) => one.toLowerCase());
  return (
    rule.AllowedOrigins.some((one) => matchesPattern(origin, one)) &&
    rule.AllowedMethods.includes(method) &&
    asked.every((name) => allowed.some((one) => matchesPattern(name, one)))
  );
}

const listed = (header = ''): string[] =>
  header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
