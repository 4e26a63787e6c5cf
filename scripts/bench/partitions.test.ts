import { partitionsOf } from './partitions';

test('the units of a write count for its rows, and the most written second of each kind of key is found (R188)', () => {
  let now = 0;
  const partitions = partitionsOf(() => now);
  const put = (pk: string) => ({ Put: { Item: { pk: { S: pk } } } });
  partitions.note({ TransactItems: [put('C#a'), { Update: { Key: { pk: { S: 'N#ada' } } } }] }, 8);
  partitions.note({ Item: { pk: { S: 'C#a' } } }, 2);
  now = 1_000;
  partitions.note({ Key: { pk: { S: 'C#a' } } }, 5);
  partitions.note({ TransactItems: [put('C#b'), put('C#b')] }, 4);
  expect(partitions.hottest()).toEqual([
    { kind: 'C#', units: 11, unitsInSecond: 6 },
    { kind: 'N#', units: 4, unitsInSecond: 4 },
  ]);
});
