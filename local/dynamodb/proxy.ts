import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { WriteFault } from '../app/faults';
import { readBody } from '../app/http-server';
import type { ServiceHandler } from '../aws/aws-endpoint';
import { operationOf } from '../aws/aws-endpoint';
import { AwsError } from '../aws/aws-error';
import { engineHeaders } from './client';

/**
 * Forwards DynamoDB's protocol to the engine over persistent connections, after the caller's policies allow the
 * request.
 */
export interface DynamodbProxyOptions {
  endpoint: string;
  /** The key of this cloud's database in the engine. */
  accessKey: string;
  /** Throws if the caller may not do this. Not called for the account's own keys (see `mustAsk`). */
  authorize: (accessKeyId: string, operation: string, input: Record<string, unknown>) => void;
  mustAsk: (accessKeyId: string) => boolean;
  /** Returns what is to happen to the caller's next write, if somebody ordered a fault. */
  faultOf: (accessKeyId: string) => WriteFault['write'] | undefined;
  /** Called after an operation that may have written, so that readers of the stream do not have to poll. */
  written: () => void;
}

const bodyLimit = 17_000_000;
const reads = /^(?:Get|BatchGet|Query|Scan|Describe|List|TransactGet)/;

export function dynamodbProxy(options: DynamodbProxyOptions): { serve: ServiceHandler; stop(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return {
    stop: () => agent.destroy(),
    async serve(request, response, { accessKeyId }) {
      const operation = operationOf(request);
      const body = await readBody(request, bodyLimit);
      if (options.mustAsk(accessKeyId)) options.authorize(accessKeyId, operation, parse(body));
      const fault = reads.test(operation) ? undefined : options.faultOf(accessKeyId);
      if (fault === 'throttle')
        throw new AwsError('ProvisionedThroughputExceededException', 'A fault was ordered: this write is throttled.');
      await forward(agent, options, request, body, fault === 'lost' ? undefined : response);
      if (fault === 'lost') response.destroy();
      if (!reads.test(operation)) options.written();
    },
  };
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString()) as Record<string, unknown>;
  } catch {
    throw new AwsError('SerializationException', 'The request is not JSON.');
  }
}

function forward(
  agent: Agent,
  { endpoint, accessKey }: DynamodbProxyOptions,
  { headers }: IncomingMessage,
  body: Buffer,
  /** Without one, the answer is lost. */
  response?: ServerResponse,
): Promise<void> {
  const passed = {
    ...engineHeaders(accessKey),
    'content-length': String(body.length),
    'content-type': headers['content-type'] ?? 'application/x-amz-json-1.0',
    'x-amz-target': headers['x-amz-target'],
  };
  return new Promise((resolve, reject) => {
    const call = httpRequest(endpoint, { agent, headers: passed, method: 'POST' }, (answer) => {
      // Reads the response to its end even if the client is gone, so that the connection can be reused.
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', () => resolve(void response?.destroy()));
      answer.once('end', () => {
        response?.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(parts));
        resolve();
      });
    });
    // The SDKs retry a 500 while the engine restarts.
    call.once('error', () => reject(new AwsError('InternalServerError', 'The DynamoDB engine does not respond.', 500)));
    call.end(body);
  });
}
