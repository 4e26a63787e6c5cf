import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { tableOfTests } from '../../../test/support/tables/table';
import { write } from '../../conversations/store/table';
import { readMemories, remembered } from './memories';

const table = tableOfTests();
const memory = (id: string) => ({
  id,
  text: 'Likes tea',
  conversationId: 'c',
  sources: [],
  createdAt: '2026-03-01T08:00:00.000Z',
  vector: new Float32Array([0.5, -1]),
  embeddingModel: 'm',
});

test.each([
  ['no text', { text: undefined }],
  ['a time that is none', { createdAt: 'yesterday' }],
  ['half a number in its vector', { vector: new Uint8Array(7) }],
  ['no vector', { vector: 'none' }],
  ['no model', { embeddingModel: null }],
])('a memory with %s is left out, and the others are read (R266)', async (what, odd) => {
  const user = `ada ${what}`;
  await write(table, '', [remembered(user, memory('a')), remembered(user, memory('b'))]);
  const { pk, sk, put } = remembered(user, memory('b')) as { pk: string; sk: string; put: object };
  const { client, name: TableName } = table;
  await client.send(new PutCommand({ TableName, Item: { pk, sk, ...put, ...odd } }));
  expect(await readMemories(table, user)).toEqual([memory('a')]);
});

test('a memory from before sources were stored comes from an unknown one, after which a person is asked (R152)', async () => {
  const { sources: _, ...old } = memory('a');
  await write(table, '', [remembered('bob', old as ReturnType<typeof memory>)]);
  expect(await readMemories(table, 'bob')).toMatchObject([{ id: 'a', sources: ['unknown'] }]);
});
