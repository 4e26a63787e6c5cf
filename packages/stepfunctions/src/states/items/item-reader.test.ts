import { gzipSync } from 'node:zlib';
import { branch, history } from '../../interpreter/histories-fixture';
import type { JsonObject } from '../../language/json';
import { objectStorage } from '../../object-storage';

const source = { Type: 'Pass', Parameters: { 'v.$': '$', 's.$': '$$.Map.Item.Source' }, End: true };
const ItemProcessor = { ...branch('I', source), ProcessorConfig: { Mode: 'DISTRIBUTED' } };

/** What comes of a map whose reader's requests are answered by these, one after the other, and what it asked for. */
function read(ItemReader: JsonObject, ...answers: JsonObject[]): { items: unknown; error: unknown; asked: unknown } {
  const inputs = answers.map((output, i) => ({ kind: 'succeeded' as const, task: i + 1, output }));
  const states = { M: { Type: 'Map', ItemReader, ItemProcessor, End: true } };
  const { execution } = history(states, ...inputs);
  const { output, error, cause } = execution.outcome ?? {};
  const asked = answers.map((_, i) => {
    const before = history(states, ...inputs.slice(0, i)).execution;
    const { waiting } = [...before.tasks.values()][0]!;
    return waiting?.kind === 'task' ? waiting.request.parameters : undefined;
  });
  return { items: output && JSON.parse(output), error: error && [error, cause], asked };
}

const list = 'arn:aws:states:::s3:listObjectsV2';
const get = 'arn:aws:states:::s3:getObject';
const Contents = [{ Key: 'one' }, { Key: 'two' }];

test('items tell which object they are from', () => {
  const { items } = read({ Resource: get, Parameters: { Bucket: 'b', Key: 'k/l' } }, { Body: '[1]' });
  expect(items).toEqual([{ v: 1, s: 'S3://b/k/l' }]);
  expect(read({ Resource: list, Parameters: { Bucket: 'b' } }, { Contents }).items).toEqual([
    { v: { Key: 'one' }, s: 'S3://b' },
    { v: { Key: 'two' }, s: 'S3://b' },
  ]);
});

test('items of the input tell that they are', () => {
  const { execution } = history({ M: { Type: 'Map', ItemsPath: '$.list', ItemProcessor, End: true } });
  expect(JSON.parse(execution.outcome!.output!)[0]).toEqual({ v: 1, s: 'STATE_DATA' });
});

test('a MaxItems that is no number fails the state before its run begins', () => {
  const ItemReader = {
    Resource: get,
    ReaderConfig: { InputType: 'JSON', MaxItemsPath: '$.list' },
    Parameters: { Bucket: 'b', Key: 'k' },
  };
  const { lines } = history({ M: { Type: 'Map', ItemReader, ItemProcessor, End: true } });
  expect(lines.slice(2)).toEqual(['3<2 MapStateStarted', '4<3 ExecutionFailed']);
});

describe('LOAD_AND_FLATTEN', () => {
  const reader = (more: JsonObject) => ({
    Resource: list,
    ReaderConfig: { InputType: 'JSON', Transformation: 'LOAD_AND_FLATTEN', ...more },
    Parameters: { Bucket: 'b', Prefix: 'p' },
  });

  test('loads the items of every object that a list names', () => {
    const { items, asked } = read(reader({}), { Contents }, { Body: '[1,2]' }, { Body: '[3]' });
    expect(items).toEqual([
      { v: 1, s: 'S3://b/one' },
      { v: 2, s: 'S3://b/one' },
      { v: 3, s: 'S3://b/two' },
    ]);
    expect(asked).toEqual([
      { Bucket: 'b', Prefix: 'p' },
      { Bucket: 'b', Key: 'one' },
      { Bucket: 'b', Key: 'two' },
    ]);
  });

  test('reads no further than MaxItems', () => {
    expect(read(reader({ MaxItems: 2 }), { Contents }, { Body: '[1,2,3]' }).items).toHaveLength(2);
  });

  test('fails by an object that is of another format', () => {
    expect(read(reader({}), { Contents }, { Body: '{}' }).error).toEqual([
      'States.ItemReaderFailed',
      'Attempting to map over non-iterable node.',
    ]);
  });
});

describe('the manifest of an inventory', () => {
  const reader = {
    Resource: get,
    ReaderConfig: { InputType: 'MANIFEST' },
    Parameters: { Bucket: 'b', Key: 'manifest.json' },
  };
  const manifest = {
    sourceBucket: 'from',
    destinationBucket: 'arn:aws:s3:::to',
    version: '2016-11-30',
    fileFormat: 'CSV',
    fileSchema: 'Bucket, Key, Size',
    files: [{ key: 'data/1.csv.gz' }, { key: 'data/2.csv.gz' }],
  };

  test('leads to the objects in its files', () => {
    const { items, asked } = read(
      reader,
      { Body: JSON.stringify(manifest) },
      { Body: '"from","x","1"\n"from","y","2"\n' },
      { Body: '"from","z","3"\n' },
    );
    expect(items).toEqual([
      { v: { Bucket: 'from', Key: 'x', Size: '1' }, s: 'S3://to/data/1.csv.gz' },
      { v: { Bucket: 'from', Key: 'y', Size: '2' }, s: 'S3://to/data/1.csv.gz' },
      { v: { Bucket: 'from', Key: 'z', Size: '3' }, s: 'S3://to/data/2.csv.gz' },
    ]);
    expect(asked).toContainEqual({ Bucket: 'to', Key: 'data/2.csv.gz' });
  });

  test('must be one', () => {
    expect(read(reader, { Body: '{"files":[]}' }).error).toEqual(['States.ItemReaderFailed', expect.any(String)]);
  });
});

test('a compressed object is read as its text', async () => {
  const fetched = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(gzipSync('a,b')));
  const signal = new AbortController().signal;
  const call = { service: 's3', action: 'GetObject', parameters: { Bucket: 'b', Key: 'k.gz' }, signal, region: 'r' };
  try {
    expect(await objectStorage('http://s3', call as never)).toMatchObject({ Body: 'a,b' });
  } finally {
    fetched.mockRestore();
  }
});
