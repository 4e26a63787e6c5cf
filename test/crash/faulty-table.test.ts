import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { readRow, type Table, write } from '../../core/conversations/store/table';
import { type RowWrite, type SingleWrite, toItem } from '../../core/conversations/store/write';
import { listen } from '../../local/app/http-server';
import { awsEndpoint } from '../../local/aws/aws-endpoint';
import { dynamodbProxy } from '../../local/dynamodb/proxy';
import { startTable } from '../support/tables/table';
import { startFaultyTable, type TableFate } from './faulty-table';

// The writes take the way that a function's do: the SDK with its own retries, the cloud's AWS port, the faulty table, the engine.

let engine: Awaited<ReturnType<typeof startTable>>;
beforeAll(async () => {
  engine = await startTable();
});
afterAll(() => engine.stop());

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const second = { write: 'TransactWriteItems COUNT*2', nth: 2 };
let stories = 0;

/** @returns what became of the story, and what the SDK was told, by its status, in each of its attempts. */
async function during(kind: TableFate | undefined, tell: (table: Table, id: string) => Promise<unknown>) {
  const faulty = await startFaultyTable(engine.endpoint, kind && { ...second, kind });
  const proxy = dynamodbProxy({
    endpoint: faulty.endpoint,
    accessKey: 'vigil',
    mustAsk: () => false,
    authorize: () => undefined,
    faultOf: () => undefined,
    written: () => undefined,
  });
  const serve = awsEndpoint({ dynamodb: proxy.serve });
  const door = await listen(0, 'PORT');
  const answers: (number | 'none')[] = [];
  door.handle((request, response) => {
    response.once('close', () => answers.push(response.writableFinished ? response.statusCode : 'none'));
    return serve(request, response);
  });
  const raw = new DynamoDBClient({ endpoint: door.url, region: 'us-east-1', credentials });
  stories += 1;
  const id = `story-${stories}`;
  try {
    await tell({ client: DynamoDBDocumentClient.from(raw), name: engine.name }, id);
  } finally {
    raw.destroy();
    proxy.stop();
    await Promise.all([door.stop(), faulty.stop()]);
  }
  return { answers, counted: await counted(id), writes: faulty.writes(), hasStruck: faulty.hasStruck() };
}

const rows = ['COUNT#a', 'COUNT#b'];
const counts = rows.map((sk): RowWrite => ({ sk, add: { n: 1 } }));
const counted = (id: string) =>
  Promise.all(rows.map(async (sk) => ((await readRow(engine, id, sk)) as { n?: number } | undefined)?.n));

async function countToThree(table: Table, id: string): Promise<void> {
  for (let times = 0; times < 3; times++) await write(table, id, counts);
}

test('with no fate everything passes, and the writes are counted by the kinds of their rows', async () => {
  const { answers, counted, writes, hasStruck } = await during(undefined, countToThree);
  expect({ answers, counted, hasStruck }).toEqual({ answers: [200, 200, 200], counted: [3, 3], hasStruck: false });
  expect(writes).toEqual([1, 2, 3].map((nth) => ({ write: second.write, nth })));
});

test.each<[TableFate, (number | 'none')[]]>([
  ['error-500', [500]],
  ['lost', ['none']],
  // The SDK gives up after four, core does not.
  ['errors-500', [500, 500, 500, 500]],
])('with %s a write is done, and who sends it is told %j', async (kind, told) => {
  const answers = [200, ...told, 200, 200];
  expect(await during(kind, countToThree)).toMatchObject({ answers, counted: [3, 3], hasStruck: true });
});

test('with only-500 a write is done, and who sends it never hears of it', async () => {
  const failures: string[] = [];
  const { answers, ...rest } = await during('only-500', async (table, id) => {
    await write(table, id, counts);
    const TransactItems = counts.map((row) => toItem(table.name, `C#${id}`, row as SingleWrite));
    const command = { TransactItems, ClientRequestToken: 'one' };
    for (let times = 0; times < 2; times++)
      await table.client.send(new TransactWriteCommand(command)).catch(({ name }: Error) => failures.push(name));
    await write(table, id, counts);
  });
  expect(failures).toEqual(['InternalServerError', 'InternalServerError']);
  expect(answers).toEqual([200, ...Array(8).fill(500), 200]);
  expect(rest).toMatchObject({ counted: [3, 3], hasStruck: true });
});

test('what the table refuses suffers nothing', async () => {
  const refused: RowWrite[] = rows.map((sk) => ({ sk, put: {}, onlyIf: 'absent' }));
  const told = await during('lost', async (table, id) => {
    await write(table, id, counts);
    expect(await write(table, id, refused)).toBe(false);
  });
  expect(told).toMatchObject({ counted: [1, 1], hasStruck: false });
});
