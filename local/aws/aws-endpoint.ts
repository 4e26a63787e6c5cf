import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFromProgram } from 'vigil-stepfunctions/shared';
import { type Handler, readBody, sendJson } from '../app/http-server';
import { AwsError } from './aws-error';

/**
 * Serves the AWS APIs on one port, distinguished by the service in the request's signature, as LocalStack does. The
 * signature is not verified but by S3, so every program of this machine may call this port. Web pages may use the
 * addresses of S3 that a function has signed, and nothing else.
 */
interface Caller {
  accessKeyId: string;
}

export type ServiceHandler = (request: IncomingMessage, response: ServerResponse, caller: Caller) => Promise<void>;

/**
 * Serves each service by its signing name: `states`, `dynamodb`, `secretsmanager`, `lambda`, `events`,
 * `execute-api`, `bedrock`, `s3`.
 *
 * @param serveBrowser serves what browsers may call: addresses of S3 whose signature it verifies. Resolves with false for other requests.
 */
export function awsEndpoint(
  services: Readonly<Record<string, ServiceHandler>>,
  serveBrowser: (request: IncomingMessage, response: ServerResponse) => Promise<boolean> = async () => false,
): Handler {
  return async (request, response) => {
    try {
      if (await serveBrowser(request, response)) return;
      if (!isFromProgram(request)) {
        const message = 'This endpoint serves programs of this machine only, as localhost or 127.0.0.1: no web pages.';
        throw new AwsError('AccessDeniedException', message, 403);
      }
      const { accessKeyId, service } = credentialOf(request);
      const serve = Object.hasOwn(services, service) ? services[service] : undefined;
      if (!serve) {
        const known = Object.keys(services).join(', ');
        throw new AwsError(
          'UnknownOperationException',
          `The local cloud does not serve ${service}; it serves ${known}.`,
          404,
        );
      }
      await serve(request, response, { accessKeyId });
    } catch (error) {
      if (!(error instanceof AwsError) || response.headersSent) throw error;
      sendAwsError(response, error);
    }
  };
}

function credentialOf(request: IncomingMessage): { accessKeyId: string; service: string } {
  const match = /Credential=([^/,\s]+)\/\d+\/[^/]+\/([^/]+)\/aws4_request/.exec(request.headers.authorization ?? '');
  const [, accessKeyId, service] = match ?? [];
  if (accessKeyId && service) return { accessKeyId, service };
  const message = 'Sign the request (with any access key, for example "test"): the signature names the service.';
  throw new AwsError('MissingAuthenticationTokenException', message, 403);
}

/** Returns the operation in `X-Amz-Target`, without the service's prefix. */
export function operationOf(request: IncomingMessage): string {
  return (
    String(request.headers['x-amz-target'] ?? '')
      .split('.')
      .at(-1) ?? ''
  );
}

/** Reads the body of a request in one of AWS's JSON protocols. */
export async function readAwsJson(request: IncomingMessage, limit: number): Promise<Record<string, unknown>> {
  const text = (await readBody(request, limit)).toString();
  try {
    return JSON.parse(text || '{}') as Record<string, unknown>;
  } catch {
    throw new AwsError('SerializationException', 'The request is not JSON.');
  }
}

/** The body has both spellings of `message`, because the services differ. */
export function sendAwsError(response: ServerResponse, { name, message, status }: AwsError): void {
  const body = { __type: name, message, Message: message };
  sendJson(response, status, body, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': name });
}
