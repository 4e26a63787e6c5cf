import { roleArn, SharedEngine } from '../../test/engine-fixture';
import type { AuthorizationRequest, AwsRequest } from '../start';

const table = { TableName: 't', Key: { id: { S: '1' } } };

/** What a service that is called by way of this test answers, or throws. */
class Refusal extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

describe('a Task state calls', () => {
  let calls: AwsRequest[];
  let asked: AuthorizationRequest[];
  let answer: (request: { service: string; action: string }) => Record<string, never>;
  let allow: (request: AuthorizationRequest) => void;
  let invoked: { functionName: string; payload: string }[];

  beforeEach(() => {
    calls = [];
    asked = [];
    invoked = [];
    answer = () => ({});
    allow = () => undefined;
  });
  const { call, ended, play } = new SharedEngine({
    services: {
      async invokeLambda({ functionName, payload, logType }) {
        invoked.push({ functionName, payload });
        if (logType === 'Tail') return { payload, logResult: 'dGhlIGxvZw==' };
        if (functionName === 'slow')
          return { payload: '{"errorMessage":"Task timed out after 3.00 seconds"}', functionError: 'Unhandled' };
        if (functionName === 'none') throw new Refusal('ResourceNotFoundException', 'Function not found: none', 404);
        if (functionName === 'odd') throw new Refusal('SomethingElseException', 'm', 400);
        return functionName === 'broken'
          ? { payload: '{"errorType":"Boom","errorMessage":"no"}', functionError: 'Unhandled' }
          : { payload };
      },
      async callAws(request) {
        calls.push(request);
        return answer(request);
      },
    },
    authorize(request) {
      asked.push(request);
      allow(request);
    },
  });
  const run = async (Resource: string, Parameters?: object) =>
    ended(
      await play({
        Call: { Type: 'Task', Resource: `arn:aws:states:::${Resource}`, ...(Parameters && { Parameters }), End: true },
      }),
    );

  test.each<[string, object | undefined, string, string, object]>([
    ['dynamodb:getItem', table, 'dynamodb', 'GetItem', table],
    [
      'sqs:sendMessage',
      { QueueUrl: 'http://q/1/q', MessageBody: { a: 1 } },
      'sqs',
      'SendMessage',
      { QueueUrl: 'http://q/1/q', MessageBody: '{"a":1}' },
    ],
    [
      'sns:publish',
      { TopicArn: 'arn:t', Message: { a: 1 } },
      'sns',
      'Publish',
      { TopicArn: 'arn:t', Message: '{"a":1}' },
    ],
    [
      'events:putEvents',
      { Entries: [{ Source: 's', DetailType: 't', Detail: { a: 1 } }] },
      'events',
      'PutEvents',
      {
        Entries: [
          {
            Source: 's',
            DetailType: 't',
            Detail: '{"a":1}',
            Resources: [expect.stringContaining(':stateMachine:m'), expect.stringContaining(':execution:m')],
          },
        ],
      },
    ],
    ['aws-sdk:dynamodb:query', { TableName: 't' }, 'dynamodb', 'Query', { TableName: 't' }],
    ['aws-sdk:eventbridge:listRules', {}, 'events', 'ListRules', {}],
    ['aws-sdk:s3:listBuckets', undefined, 's3', 'ListBuckets', {}],
    [
      'aws-sdk:s3:putObject',
      { Bucket: 'b', Key: 'k', Body: 'say "x"' },
      's3',
      'PutObject',
      { Bucket: 'b', Key: 'k', Body: '"say \\"x\\""' },
    ],
  ])('%s', async (resource, parameters, service, action, sent) => {
    expect(await run(resource, parameters)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls).toEqual([expect.objectContaining({ service, action, parameters: sent, principal: roleArn })]);
  });

  const item = { TableName: 't', Item: { id: { S: '1' } } };
  const message = { QueueUrl: 'http://q/1/q', MessageBody: 'm' };
  test.each<[string, string, string, object?]>([
    ['dynamodb:putItem', 'ConditionalCheckFailedException', 'DynamoDB.ConditionalCheckFailedException'],
    ['dynamodb:putItem', 'ValidationException', 'DynamoDB.AmazonDynamoDBException'],
    ['aws-sdk:dynamodb:putItem', 'ValidationException', 'DynamoDb.DynamoDbException'],
    ['sqs:sendMessage', 'AWS.SimpleQueueService.NonExistentQueue', 'SQS.QueueDoesNotExistException', message],
    ['aws-sdk:s3:getObject', 'NoSuchKey', 'S3.NoSuchKeyException'],
    ['aws-sdk:sns:publish', 'InvalidParameterValue', 'Sns.InvalidParameterValueException'],
  ])('%s refused with %s fails with %s', async (resource, name, error, parameters = item) => {
    answer = () => {
      throw new Refusal(name, 'no');
    };
    expect(await run(resource, parameters)).toMatchObject({
      status: 'FAILED',
      error,
      cause: expect.stringMatching(/^no \(Service: /),
    });
  });

  const fifo = 'arn:aws:sns:us-east-1:123456789012:t.fifo';
  test.each<[string, object, string, string]>([
    ['dynamodb:putItem', { TableName: 't', Item: null }, 'DynamoDB.AmazonDynamoDBException', "Value null at 'item'"],
    ['aws-sdk:dynamodb:getItem', { TableName: 't' }, 'DynamoDb.DynamoDbException', "Value null at 'key'"],
    ['sns:publish', { TopicArn: fifo, Message: 'm' }, 'SNS.InvalidParameterException', 'MessageGroupId'],
    ['events:putEvents', { Entries: [{ Detail: '{}' }] }, 'EventBridge.FailedEntry', 'Source is a required argument'],
  ])('%s refuses %j by itself', async (resource, parameters, error, cause) => {
    expect(await run(resource, parameters)).toMatchObject({ error, cause: expect.stringContaining(cause) });
    expect(calls).toEqual([]);
  });

  test('a list of objects is read to its end, page by page (R185)', async () => {
    const pages: Record<string, object> = {
      first: { Contents: [{ Key: 'a' }, { Key: 'b' }], IsTruncated: true, NextContinuationToken: 'more' },
      more: { Contents: [{ Key: 'c' }], IsTruncated: false },
    };
    const token = () => calls.at(-1)!.parameters.ContinuationToken ?? 'first';
    answer = () => pages[token() as string] as Record<string, never>;
    const ItemReader = { Resource: 'arn:aws:states:::s3:listObjectsV2', Parameters: { Bucket: 'b' } };
    const ItemProcessor = {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'Same',
      States: { Same: { Type: 'Pass', End: true } },
    };
    const { output } = await ended(await play({ Each: { Type: 'Map', ItemReader, ItemProcessor, End: true } }));
    expect(JSON.parse(output!)).toEqual([{ Key: 'a' }, { Key: 'b' }, { Key: 'c' }]);
    expect(calls.map(({ parameters }) => parameters)).toEqual([
      { Bucket: 'b' },
      { Bucket: 'b', ContinuationToken: 'more' },
    ]);
  });

  test('times in the answer of an SDK integration are text (R185)', async () => {
    answer = () =>
      ({ Table: { CreationDateTime: 1_704_067_200.25 }, Count: 2, Time: { N: '1' } }) as unknown as Record<
        string,
        never
      >;
    const { output } = await run('aws-sdk:dynamodb:describeTable', { TableName: 't' });
    expect(JSON.parse(output!)).toEqual({
      Table: { CreationDateTime: '2024-01-01T00:00:00.250Z' },
      Count: 2,
      Time: { N: '1' },
    });
  });

  test('a call is made with the role that the task names, and says so', async () => {
    const other = 'arn:aws:iam::123456789012:role/other';
    const Credentials = { 'RoleArn.$': '$$.Execution.RoleArn' };
    const state = { Type: 'Task', Resource: 'arn:aws:states:::dynamodb:getItem', Parameters: table };
    const executionArn = await play({
      First: { ...state, Credentials: { RoleArn: other }, ResultPath: null, Next: 'Second' },
      Second: { ...state, Credentials, End: true },
    });
    await ended(executionArn);
    expect(calls.map(({ principal }) => principal)).toEqual([other, roleArn]);
    const history = (await call('GetExecutionHistory', { executionArn })) as unknown as {
      events: { taskScheduledEventDetails?: { taskCredentials: { roleArn: string } } }[];
    };
    const scheduled = history.events.flatMap(({ taskScheduledEventDetails }) => taskScheduledEventDetails ?? []);
    expect(scheduled.map(({ taskCredentials }) => taskCredentials.roleArn)).toEqual([other, roleArn]);
  });

  test('a service that cannot be reached, an event that is refused, a resource that nobody has', async () => {
    answer = () => {
      throw new TypeError('fetch failed');
    };
    expect(await run('dynamodb:getItem', table)).toMatchObject({ error: 'DynamoDB.SdkClientException' });
    answer = () => ({ FailedEntryCount: 1 }) as unknown as Record<string, never>;
    expect(await run('events:putEvents', { Entries: [] })).toMatchObject({ error: 'EventBridge.FailedEntry' });
    expect(await run('glue:startJobRun.sync', {})).toMatchObject({
      status: 'FAILED',
      cause: expect.stringContaining('glue:startJobRun.sync'),
    });
  });

  test.each<[string, object, string, RegExp]>([
    ['lambda:invoke', { FunctionName: 'slow' }, 'Lambda.Unknown', /type\. Returned payload: .*Task timed out/],
    [
      'lambda:invoke',
      { FunctionName: 'none' },
      'Lambda.ResourceNotFoundException',
      /^Function not found: none \(Service: AWSLambda; Status Code: 404; Error Code: ResourceNotFoundException; Request/,
    ],
    [
      'aws-sdk:lambda:invoke',
      { FunctionName: 'none' },
      'Lambda.ResourceNotFoundException',
      /^Function not found: none \(Service: Lambda, Status Code: 404, Request ID: [\w-]+\)$/,
    ],
    ['lambda:invoke', { FunctionName: 'odd' }, 'Lambda.AWSLambdaException', /Error Code: Something/],
    ['aws-sdk:lambda:invoke', { FunctionName: 'odd' }, 'Lambda.LambdaException', /^m \(Service/],
  ])('%s with %j, which fails by %s', async (Resource, Parameters, error, cause) => {
    expect(await run(Resource, Parameters)).toMatchObject({ error, cause: expect.stringMatching(cause) });
  });

  test('a function, and does not wait for it', async () => {
    const event = { FunctionName: 'f', InvocationType: 'Event' };
    expect(JSON.parse((await run('lambda:invoke', event)).output!)).toMatchObject({ StatusCode: 202 });
    expect(JSON.parse((await run('aws-sdk:lambda:invoke', event)).output!)).toEqual({ Payload: '', StatusCode: 202 });
    expect(invoked).toHaveLength(2);
  });

  test.each(['lambda:invoke', 'aws-sdk:lambda:invoke'])('no function, where %s is only tried', async (Resource) => {
    const { output } = await run(Resource, { FunctionName: 'f', InvocationType: 'DryRun' });
    expect(JSON.parse(output!)).toMatchObject({ StatusCode: 204 });
    expect(invoked).toEqual([]);
  });

  test('a function, in each of its forms', async () => {
    const echoed = await run('lambda:invoke', { FunctionName: 'f', Payload: { a: 1 } });
    expect(JSON.parse(echoed.output!)).toMatchObject({
      ExecutedVersion: '$LATEST',
      Payload: { a: 1 },
      StatusCode: 200,
    });
    expect(await run('lambda:invoke', { FunctionName: 'broken' })).toMatchObject({
      error: 'Boom',
      cause: '{"errorType":"Boom","errorMessage":"no"}',
    });
    const tail = await run('lambda:invoke', { FunctionName: 'f', LogType: 'Tail' });
    expect(JSON.parse(tail.output!)).toMatchObject({ LogResult: 'dGhlIGxvZw==' });
    expect(JSON.parse(echoed.output!)).not.toHaveProperty('LogResult');
    const plain = await ended(
      await play({ Call: { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:f', End: true } }),
    );
    expect(plain.output).toBe('{}');
    const sdk = await run('aws-sdk:lambda:invoke', { FunctionName: 'f', Payload: { a: 1 }, LogType: 'Tail' });
    expect(JSON.parse(sdk.output!)).toMatchObject({ Payload: '{"a":1}', LogResult: 'dGhlIGxvZw==' });
  });

  test('the role is asked about before anything is called', async () => {
    await run('lambda:invoke', { FunctionName: 'f' });
    await run('dynamodb:getItem', table);
    expect(asked).toEqual([
      {
        principal: roleArn,
        action: 'lambda:InvokeFunction',
        resource: 'arn:aws:lambda:us-east-1:123456789012:function:f',
      },
      { principal: roleArn, action: 'dynamodb:GetItem', resource: 'arn:aws:dynamodb:us-east-1:123456789012:table/t' },
    ]);
    allow = () => {
      throw new Error('User: r is not authorized to perform: lambda:InvokeFunction');
    };
    invoked = [];
    expect(await run('lambda:invoke', { FunctionName: 'f' })).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.AWSLambdaException',
      cause: expect.stringContaining('not authorized'),
    });
    expect(invoked).toEqual([]);
  });
});
