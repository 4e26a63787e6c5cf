import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpServices } from './http-services';
import type { Services } from './index';
import { readSettings } from './settings';

describe('services behind endpoints', () => {
  let server: Server;
  let services: Services;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let asked: { request: IncomingMessage; body: string };

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked = { request, body };
      answer(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    services = httpServices(readSettings({ LAMBDA_ENDPOINT: url }));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const signal = new AbortController().signal;
  const call = (service: string, action: string, parameters: Record<string, never> | object) =>
    services.callAws!({ service, action, parameters: parameters as never, principal: 'r', signal });

  test('SNS takes a form and answers XML', async () => {
    answer = (_request, response) =>
      response.end(
        '<PublishResponse><PublishResult>\n<MessageId>m-1</MessageId><SequenceNumber>7</SequenceNumber></PublishResult>' +
          '<ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></PublishResponse>',
      );
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'a&b' } };
    expect(await call('sns', 'Publish', { TopicArn: 't', Message: 'm', MessageAttributes })).toEqual({
      MessageId: 'm-1',
      SequenceNumber: '7',
    });
    expect(Object.fromEntries(new URLSearchParams(asked.body))).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: 't',
      Message: 'm',
      'MessageAttributes.entry.1.Name': 'kind',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'a&b',
    });
  });

  test("S3 says what it knows of an object, and a plain store's silence is filled", async () => {
    answer = (_request, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/plain',
          etag: '"e"',
          'x-amz-meta-a': '1',
          'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT',
        })
        .end('text');
    expect(await call('s3', 'GetObject', { Bucket: 'b', Key: 'k' })).toEqual({
      AcceptRanges: 'bytes',
      Body: 'text',
      ContentLength: 4,
      ContentType: 'text/plain',
      ETag: '"e"',
      LastModified: '2024-01-01T00:00:00Z',
      Metadata: { a: '1' },
      ServerSideEncryption: 'AES256',
    });
    expect(await call('s3', 'PutObject', { Bucket: 'b', Key: 'k', Body: { a: 1 } })).toEqual({
      ChecksumCRC32: 'Vhusrw==',
      ChecksumType: 'FULL_OBJECT',
      ETag: '"e"',
      ServerSideEncryption: 'AES256',
    });
    expect(asked.body).toBe('{"a":1}');
  });

  test('S3 lists objects', async () => {
    const object = { Key: 'k', LastModified: '2024-01-01T00:00:00Z', Size: 4, StorageClass: 'STANDARD' };
    answer = (_request, response) =>
      response.end(
        '<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>k</Key><Size>4</Size>' +
          '<ETag>&quot;e&quot;</ETag><LastModified>2024-01-01T00:00:00.000Z</LastModified></Contents></ListBucketResult>',
      );
    expect(await call('s3', 'ListObjectsV2', { Bucket: 'b', Prefix: 'k' })).toEqual({
      Contents: [{ ...object, ETag: '"e"' }],
      IsTruncated: false,
      KeyCount: 1,
      MaxKeys: 1000,
      Name: 'b',
      Prefix: 'k',
    });
    expect(asked.request.url).toBe('/b?list-type=2&prefix=k');
  });

  test('Lambda is asked for the end of the log where the task asks', async () => {
    answer = (request, response) =>
      response.writeHead(200, { 'x-amz-log-result': `log-${request.headers['x-amz-log-type']}` }).end('1');
    const request = { functionName: 'f', payload: '1', principal: 'r', signal };
    expect(await services.invokeLambda({ ...request, logType: 'Tail' })).toMatchObject({ logResult: 'log-Tail' });
  });
});
