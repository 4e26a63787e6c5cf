import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { startTable } from './table';

/** A client's response, without what only the SDK adds. */
async function outcome(client: DynamoDBDocumentClient, command: never): Promise<unknown> {
  try {
    const { $metadata: _, ...answer } = (await client.send(command)) as Record<string, unknown>;
    return answer;
  } catch (error) {
    const { name, CancellationReasons } = error as Error & { CancellationReasons?: { Code?: string }[] };
    return { name, codes: CancellationReasons?.map(({ Code }) => Code) };
  }
}

test("the tests' client returns the same as the SDK's client", async () => {
  const { name: TableName, endpoint, client, stop } = await startTable();
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const raw = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const sdk = DynamoDBDocumentClient.from(raw, { marshallOptions: { removeUndefinedValues: true } });
  const commands = (pk: string) => {
    const Key = { pk, sk: 'one' };
    const value = {
      text: 'ü',
      list: [1, { deep: null }, []],
      yes: true,
      none: undefined,
      half: 0.5,
      set: new Set(['a']),
      bytes: Buffer.from([0, 255]),
    };
    const absent = { TableName, ConditionExpression: 'attribute_not_exists(pk)' };
    const counted = {
      UpdateExpression: 'SET #c = :c, #o = :o ADD #n :n',
      ExpressionAttributeNames: { '#c': 'changed', '#o': 'other', '#n': 'count' },
      ExpressionAttributeValues: { ':c': { Item: ['not', { Key: 'a request' }] }, ':o': undefined, ':n': 1 },
    };
    const update = {
      ...counted,
      UpdateExpression: 'SET #c = :c ADD #n :n',
      ExpressionAttributeNames: { '#c': 'changed', '#n': 'count' },
    };
    const query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
    return [
      new GetCommand({ TableName, Key }),
      new PutCommand({ ...absent, Item: { ...Key, ...value } }),
      new PutCommand({ ...absent, Item: { ...Key, ...value } }),
      new GetCommand({ TableName, Key }),
      new UpdateCommand({ TableName, Key, ...update, ReturnValues: 'ALL_NEW' }),
      new UpdateCommand({ TableName, Key, ...counted }),
      new TransactWriteCommand({
        TransactItems: [
          { Put: { TableName, Item: { pk, sk: 'two', ...value } } },
          { Update: { TableName, Key: { pk, sk: 'three' }, ...update } },
        ],
      }),
      new TransactWriteCommand({
        TransactItems: [{ Delete: { TableName, Key: { pk, sk: 'two' } } }, { Put: { ...absent, Item: Key } }],
      }),
      new QueryCommand(query),
      new QueryCommand({ ...query, Limit: 2 }),
      new QueryCommand({ ...query, ExclusiveStartKey: Key }),
      new ScanCommand({ TableName, FilterExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }),
      new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }),
      new DeleteCommand({ TableName, Key: { pk, sk: 'two' } }),
      new DeleteCommand({ TableName, Key: { pk, sk: 'three' } }),
      new GetCommand({ TableName: 'no table', Key }),
    ] as never[];
  };
  // In one partition, one after the other: the rows of our client are deleted before the SDK's turn.
  const told = async (by: DynamoDBDocumentClient) => {
    const answers: unknown[] = [];
    for (const command of commands('p')) answers.push(await outcome(by, command));
    return answers;
  };
  try {
    const ours = await told(client);
    expect(ours).toEqual(await told(sdk));
    expect(ours.map((answer) => (answer as { name?: string }).name).filter(Boolean)).toEqual([
      'ConditionalCheckFailedException',
      'ValidationException',
      'TransactionCanceledException',
      'ValidationException',
    ]);
  } finally {
    raw.destroy();
    await stop();
  }
});
