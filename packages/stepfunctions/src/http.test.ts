import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  GetExecutionHistoryCommand,
  InvalidDefinition,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { functionArn, roleArn, SharedEngine } from '../test/engine-fixture';
import { type HttpEndpoint, serveHttp } from './http';

describe('the SDK against the wire protocol', () => {
  const shared = new SharedEngine();
  let endpoint: HttpEndpoint;
  let client: SFNClient;

  beforeAll(async () => {
    endpoint = await serveHttp(shared.engine, 0);
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    client = new SFNClient({ endpoint: endpoint.url, region: 'us-east-1', credentials, disableHostPrefix: true });
  });
  afterAll(async () => {
    client.destroy();
    await endpoint.close();
  });

  const create = async (name: string, definition: object) =>
    (await client.send(new CreateStateMachineCommand({ name, roleArn, definition: JSON.stringify(definition) })))
      .stateMachineArn!;
  async function ended(executionArn: string) {
    for (;;) {
      const described = await client.send(new DescribeExecutionCommand({ executionArn }));
      if (described.status !== 'RUNNING') return described;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  test('creates, starts, describes, reads and lists', async () => {
    const stateMachineArn = await create('echo', {
      StartAt: 'Echo',
      States: { Echo: { Type: 'Task', Resource: functionArn('echo'), End: true } },
    });
    expect(stateMachineArn).toBe('arn:aws:states:us-east-1:123456789012:stateMachine:echo');
    const { executionArn, startDate } = await client.send(
      new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{"a": 1}' }),
    );
    expect(startDate).toBeInstanceOf(Date);
    const described = await ended(executionArn!);
    expect(described).toMatchObject({
      status: 'SUCCEEDED',
      input: '{"a": 1}',
      output: '{"a":1}',
      name: 'one',
      stateMachineArn,
    });
    const { events } = await client.send(
      new GetExecutionHistoryCommand({ executionArn, reverseOrder: true, maxResults: 2 }),
    );
    expect(events!.map(({ type, id }) => [type, id])).toEqual([
      ['ExecutionSucceeded', 7],
      ['TaskStateExited', 6],
    ]);
    const bare = await client.send(new GetExecutionHistoryCommand({ executionArn, includeExecutionData: false }));
    expect(bare.events![0]!.executionStartedEventDetails).toEqual({ roleArn });
    const listed = await client.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'SUCCEEDED' }));
    expect(listed.executions!.map(({ name, status }) => [name, status])).toEqual([['one', 'SUCCEEDED']]);
    expect((await client.send(new ListStateMachinesCommand({}))).stateMachines!.map(({ name }) => name)).toContain(
      'echo',
    );
  });

  test('pages through a history', async () => {
    const states = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `S${i}`,
        { Type: 'Pass', ...(i < 59 ? { Next: `S${i + 1}` } : { End: true }) },
      ]),
    );
    const stateMachineArn = await create('long', { StartAt: 'S0', States: states });
    const { executionArn } = await client.send(new StartExecutionCommand({ stateMachineArn }));
    await ended(executionArn!);
    const ids: number[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 50, nextToken }));
      ids.push(...page.events!.map(({ id }) => id!));
      nextToken = page.nextToken;
    } while (nextToken);
    expect(ids).toEqual(Array.from({ length: 122 }, (_, i) => i + 1));
  });

  test('throws the errors that the SDK knows by class', async () => {
    const arn = 'arn:aws:states:us-east-1:123456789012:stateMachine:none';
    await expect(client.send(new StartExecutionCommand({ stateMachineArn: arn }))).rejects.toBeInstanceOf(
      StateMachineDoesNotExist,
    );
    await expect(create('bad', { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'B' } } })).rejects.toBeInstanceOf(
      InvalidDefinition,
    );
    const stateMachineArn = await create('waiter', {
      StartAt: 'W',
      States: { W: { Type: 'Wait', Seconds: 60, End: true } },
    });
    const { executionArn } = await client.send(
      new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{}' }),
    );
    const again = client.send(new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{"other":1}' }));
    await expect(again).rejects.toBeInstanceOf(ExecutionAlreadyExists);
    await client.send(new StopExecutionCommand({ executionArn, error: 'Enough', cause: 'said the test' }));
    expect(await ended(executionArn!)).toMatchObject({ status: 'ABORTED', error: 'Enough', cause: 'said the test' });
  });

  test.each([
    ['a name that was rebound to this machine', { host: 'evil.example:8083' }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page without an origin of its own', { origin: 'null' }],
    ['another page of this machine', { origin: 'http://localhost:3000' }],
    ['a page whose request names no origin', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s, and says what is served', async (_who, from) => {
    const headers = { ...from, 'x-amz-target': 'AWSStepFunctions.ListStateMachines' };
    // fetch would not send another Host.
    const sent = httpRequest(endpoint.url, { method: 'POST', headers }).end('{}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = JSON.parse((await response.toArray()).join(''));
    expect([response.statusCode, body]).toEqual([
      403,
      { __type: 'AccessDeniedException', message: expect.stringContaining('serves programs of this machine only') },
    ]);
  });

  test('on an address that is not loopback, programs may use any name, and pages still none', async () => {
    const open = await serveHttp(shared.engine, 0, '0.0.0.0');
    const ask = async (headers: Record<string, string>) => {
      const all = { ...headers, 'x-amz-target': 'AWSStepFunctions.ListStateMachines' };
      const sent = httpRequest(open.url, { method: 'POST', headers: all }).end('{}');
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await ask({ host: 'stepfunctions:8083' })).toBe(200);
    expect(await ask({ host: 'stepfunctions:8083', origin: 'http://stepfunctions:8083' })).toBe(403);
    expect(await ask({ host: 'stepfunctions:8083', 'sec-fetch-site': 'cross-site' })).toBe(403);
    await open.close();
  });

  test('refuses what is not its protocol', async () => {
    expect((await fetch(endpoint.url)).status).toBe(400);
    const headers = { 'x-amz-target': 'AWSStepFunctions.MakeTea' };
    const response = await fetch(endpoint.url, { method: 'POST', headers, body: '{}' });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ __type: 'UnknownOperationException' }),
    ]);
    expect((await fetch(endpoint.url, { method: 'POST', headers, body: '{' })).status).toBe(400);
  });
});
