import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpServices } from './http-services';
import { readSettings } from './settings';
import type { Services } from './start';

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

  test.each([
    ['f', '/f/'],
    ['f:live', '/f/?live'],
    ['123456789012:function:f', '/123456789012:function:f/'],
    ['123456789012:function:f:7', '/123456789012:function:f/?7'],
    ['%s:$LATEST', '/%s/?$LATEST'],
  ])('a function is found by %s', async (name, expected) => {
    const arn = 'arn:aws:lambda:us-east-1:123456789012:function:f';
    answer = (_request, response) => response.end('1');
    await services.invokeLambda!({ functionName: name.replace('%s', arn), payload: '1', principal: 'r', signal });
    const url = decodeURIComponent(asked.request.url!);
    const found = /functions(\/.*\/)invocations(?:\?Qualifier=(.*))?$/.exec(url)!;
    expect(found[1]! + (found[2] === undefined ? '' : `?${found[2]}`)).toBe(expected.replace('%s', arn));
  });

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

  test('SNS takes lists of structures, and answers with lists and maps (R185)', async () => {
    answer = (_request, response) =>
      response.end(
        '<R xmlns="urn:x"><PublishBatchResult><Successful><member><Id>a</Id><MessageId>m</MessageId></member></Successful>' +
          '<Failed/><Attributes><entry><key>Owner</key><value>a &amp; &#x62;</value></entry></Attributes>' +
          '</PublishBatchResult></R>',
      );
    const MessageAttributes = { kind: { DataType: 'String', StringValue: 'x' } };
    const entries = [{ Id: 'a', Message: 'one', MessageAttributes }];
    expect(await call('sns', 'PublishBatch', { TopicArn: 't', PublishBatchRequestEntries: entries })).toEqual({
      Successful: [{ Id: 'a', MessageId: 'm' }],
      Failed: [],
      Attributes: { Owner: 'a & b' },
    });
    const prefix = 'PublishBatchRequestEntries.member.1.';
    expect(Object.fromEntries(new URLSearchParams(asked.body))).toMatchObject({
      [`${prefix}Id`]: 'a',
      [`${prefix}MessageAttributes.entry.1.Name`]: 'kind',
      [`${prefix}MessageAttributes.entry.1.Value.StringValue`]: 'x',
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

  test('S3 lists a page, from where the last one ended, by folders (R185)', async () => {
    answer = (_request, response) =>
      response.end(
        '<ListBucketResult><Name>b</Name><NextContinuationToken>n</NextContinuationToken><MaxKeys>2</MaxKeys>' +
          '<IsTruncated>true</IsTruncated><Contents><Key>a &amp; b</Key></Contents>' +
          '<CommonPrefixes><Prefix>c/</Prefix></CommonPrefixes></ListBucketResult>',
      );
    const parameters = { Bucket: 'b', Delimiter: '/', MaxKeys: 2, ContinuationToken: 't=', StartAfter: 'k' };
    expect(await call('s3', 'ListObjectsV2', parameters)).toMatchObject({
      CommonPrefixes: [{ Prefix: 'c/' }],
      Contents: [{ Key: 'a & b' }],
      IsTruncated: true,
      KeyCount: 2,
      NextContinuationToken: 'n',
    });
    expect(asked.request.url).toBe('/b?list-type=2&continuation-token=t%3D&delimiter=%2F&max-keys=2&start-after=k');
  });

  test('S3 keeps what is said with an object, copies, deletes and names what is not there (R185)', async () => {
    answer = (_request, response) =>
      response.end(
        '<CopyObjectResult><ETag>"e"</ETag><LastModified>2024-01-01T00:00:00.000Z</LastModified></CopyObjectResult>',
      );
    const at = { Bucket: 'b', Key: 'ä/k' };
    await call('s3', 'PutObject', { ...at, Body: 'x', ContentType: 'text/markdown', Metadata: { by: 'me' } });
    expect(asked.request.headers).toMatchObject({ 'content-type': 'text/markdown', 'x-amz-meta-by': 'me' });
    expect(await call('s3', 'CopyObject', { ...at, CopySource: 'b/k' })).toMatchObject({
      CopyObjectResult: { ETag: '"e"', LastModified: '2024-01-01T00:00:00Z' },
    });
    expect(asked.request).toMatchObject({ method: 'PUT', url: '/b/%C3%A4/k', headers: { 'x-amz-copy-source': 'b/k' } });
    expect(await call('s3', 'DeleteObject', at)).toEqual({});
    expect(asked.request.method).toBe('DELETE');
    answer = (_request, response) => response.writeHead(404, { 'x-amz-request-id': 'r' }).end();
    await expect(call('s3', 'HeadObject', at)).rejects.toMatchObject({
      name: 'NoSuchKey',
      status: 404,
      requestId: 'r',
    });
  });

  test('Lambda is asked for the end of the log where the task asks', async () => {
    answer = (request, response) =>
      response.writeHead(200, { 'x-amz-log-result': `log-${request.headers['x-amz-log-type']}` }).end('1');
    const request = { functionName: 'f', payload: '1', principal: 'r', signal };
    expect(await services.invokeLambda({ ...request, logType: 'Tail' })).toMatchObject({ logResult: 'log-Tail' });
  });
});
