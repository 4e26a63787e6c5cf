import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { AwsError } from '../aws/aws-error';

/** An error of S3, with its code: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export class S3Error extends AwsError {
  constructor(
    code: string,
    message: string,
    status = 400,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, message, status);
  }
}

export const accessDenied = (message = 'Access Denied'): S3Error => new S3Error('AccessDenied', message, 403);
export const noSuchKey = (): S3Error => new S3Error('NoSuchKey', 'The specified key does not exist.', 404);
export const preconditionFailed = (): S3Error =>
  new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412);
export const notImplemented = (what: string): S3Error =>
  new S3Error('NotImplemented', `The local S3 does not serve ${what}.`, 501);

export const requestId = (): string => randomBytes(8).toString('hex').toUpperCase();

/** Sends an error as S3 does: as XML, and to HEAD without a body. IAM's refusals get the code of S3. */
export function sendS3Error(response: ServerResponse, error: AwsError, headers: Record<string, string>): void {
  const isRefusal = error.name === 'AccessDeniedException';
  const [code, status] = isRefusal ? ['AccessDenied', 403] : [error.name, error.status];
  const id = requestId();
  const body = xml('Error', { Code: code, Message: error.message, RequestId: id });
  const own = error instanceof S3Error ? error.headers : {};
  response.writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': id, ...headers, ...own });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

type Content = string | number | boolean | undefined | Fields | readonly Fields[];
interface Fields {
  [name: string]: Content;
}

/** Returns a document of S3's. A list repeats its element. */
export function xml(root: string, fields: Fields, namespace = ''): string {
  const inner = Object.entries(fields).map(([name, content]) => element(name, content));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace && ` xmlns="${namespace}"`}>${inner.join('')}</${root}>`;
}

function element(name: string, content: Content): string {
  if (content === undefined) return '';
  if (Array.isArray(content)) return content.map((one: Fields) => element(name, one)).join('');
  const inner =
    typeof content === 'object'
      ? Object.entries(content)
          .map(([key, value]) => element(key, value as Content))
          .join('')
      : escaped(String(content));
  return `<${name}>${inner}</${name}>`;
}

const escaped = (text: string): string => text.replace(/[&<>"']|[^\t\n -\uFFFD]/g, (one) => `&#${one.charCodeAt(0)};`);
