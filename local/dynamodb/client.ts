import { Agent, request } from 'node:http';
import { AwsError } from '../aws/aws-error';

/** The local cloud's own client of its DynamoDB engine. The SDK takes longer to load than the engine takes to start. */
export interface DynamodbClient {
  call(operation: string, input: object): Promise<Record<string, unknown>>;
  stop(): void;
}

const streamsTarget = 'DynamoDBStreams_20120810';
const dynamodbTarget = 'DynamoDB_20120810';

const streamOperations = new Set(['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords']);

/**
 * DynamoDB Local has a separate database for each access key, unless it runs with -sharedDb. So all callers of one local
 * cloud use the same key, and clouds that share an engine use different ones.
 */
export function engineHeaders(accessKey = 'vigil'): Record<string, string> {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  // A time is ASCII.
  const scope = `${stamp.slice(0, 8)}/us-east-1/dynamodb/aws4_request`;
  return {
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=host;x-amz-date, Signature=0`,
    'x-amz-date': stamp,
  };
}

export function dynamodbClient(endpoint: string, accessKey?: string): DynamodbClient {
  const agent = new Agent({ keepAlive: true });
  return {
    async call(operation, input) {
      const target = streamOperations.has(operation) ? streamsTarget : dynamodbTarget;
      const { status, body } = await post(
        agent,
        endpoint,
        {
          ...engineHeaders(accessKey),
          'x-amz-target': `${target}.${operation}`,
        },
        JSON.stringify(input),
      );
      const answer = JSON.parse(body || '{}') as Record<string, unknown>;
      if (status === 200) return answer;
      const name =
        String(answer.__type ?? 'InternalServerError')
          .split('#')
          .at(-1) ?? '';
      const error = new AwsError(name, String(answer.message ?? answer.Message ?? name), status);
      // Which row's condition failed in a transaction.
      const { CancellationReasons } = answer;
      throw CancellationReasons ? Object.assign(error, { CancellationReasons }) : error;
    },
    stop: () => agent.destroy(),
  };
}

function post(
  agent: Agent,
  endpoint: string,
  signed: Record<string, string>,
  body: string,
): Promise<{ status: number; body: string }> {
  const headers = {
    ...signed,
    'content-type': 'application/x-amz-json-1.0',
    'content-length': String(Buffer.byteLength(body)),
  };
  return new Promise((resolve, reject) => {
    const call = request(endpoint, { agent, headers, method: 'POST' }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    call.once('error', reject);
    call.end(body);
  });
}
