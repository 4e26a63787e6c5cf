import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, send, sendJson } from '../app/http-server';
import { AwsError } from '../aws/aws-error';
import type { Lambda } from './lambda';

/** Lambda's Invoke over HTTP: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

const syncLimit = 6_291_556;

/** `authorize` is called with the function's ARN. */
export async function serveInvoke(
  lambda: Lambda,
  authorize: (functionArn: string) => void,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const [, encoded] = invokePath.exec(new URL(request.url ?? '', 'http://local').pathname) ?? [];
    if (!encoded || request.method !== 'POST') {
      throw new AwsError('UnknownOperationException', 'The local Lambda serves Invoke only.', 404);
    }
    const name = decodeURIComponent(encoded);
    const found = lambda.find(name);
    if (!found) throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404);
    authorize(String(found.attributes.Arn));
    const payload = (await readBody(request, syncLimit)).toString() || '{}';
    assertJson(payload);
    await invoke(
      lambda,
      found.ref,
      payload,
      String(request.headers['x-amz-invocation-type'] ?? 'RequestResponse'),
      response,
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const Type = error.status >= 500 ? 'Service' : 'User';
    const status = error.name === 'AccessDeniedException' ? 403 : error.status;
    sendJson(
      response,
      status,
      { Type, Message: error.message, message: error.message },
      { 'x-amzn-errortype': error.name },
    );
  }
}

async function invoke(
  lambda: Lambda,
  name: string,
  payload: string,
  type: string,
  response: ServerResponse,
): Promise<void> {
  if (type === 'DryRun') return send(response, 204, '', {});
  if (type === 'Event') {
    lambda.invokeLater(name, payload);
    return send(response, 202, '', {});
  }
  const result = await lambda.invoke(name, payload);
  const failure: Record<string, string> = result.functionError ? { 'x-amz-function-error': result.functionError } : {};
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': result.executedVersion, ...failure };
  send(response, 200, result.payload, headers);
}

function assertJson(payload: string): void {
  try {
    JSON.parse(payload);
  } catch {
    throw new AwsError('InvalidRequestContentException', 'Could not parse request body into json');
  }
}
