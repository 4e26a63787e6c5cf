import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { listen } from '../local/model-server/listen';
import { wrongReadings } from '../test/support/odd-answers';
import { deployedEmbedder, vectorsIn } from './embedder';

const of = (...embeddings: unknown[]) => embeddings.map((embedding, index) => ({ embedding, index }));

test('vectors come in the order of their texts, whichever the server answers with (R189)', () => {
  const [first, second] = of([1, 0], [0, 1]);
  expect(vectorsIn([second, first], 2).map((vector) => [...vector])).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(vectorsIn([{ embedding: [1] }, { embedding: [2] }], 2).map(([one]) => one)).toEqual([1, 2]);
});

test.each<[string, unknown, number]>([
  ['no list', undefined, 1],
  ['null', null, 1],
  ['too few', of([1]), 2],
  ['too many', of([1], [2]), 1],
  ['an empty vector', of([]), 1],
  ['null in a vector', of([1, null]), 1],
  ['text in a vector', of([1, '2']), 1],
  ['NaN', of([Number.NaN]), 1],
  ['a number beyond 32 bits', of([1e300]), 1],
  ['two lengths', of([1, 2], [1]), 2],
  ['base64', of('AAAA'), 1],
  ['a vector that fills a row', of(new Array(10_001).fill(0)), 1],
])('an embeddings server that answers with %s has failed, and nothing is stored (R189)', (_what, data, count) => {
  expect(() => vectorsIn(data, count)).toThrow(expect.objectContaining({ name: 'ToolFailed' }));
});

test('whatever it answers, what is returned are as many finite vectors of one length (R189)', () => {
  const odd = fc.array(fc.record({ embedding: fc.oneof(fc.anything(), fc.array(fc.double())), index: fc.anything() }));
  fc.assert(
    fc.property(fc.oneof(fc.anything(), odd), fc.nat(4), (data, count) => {
      let vectors: Float32Array[];
      try {
        vectors = vectorsIn(data, count);
      } catch (error) {
        expect((error as Error).name).toBe('ToolFailed');
        return;
      }
      expect(vectors).toHaveLength(count);
      expect(new Set(vectors.map(({ length }) => length)).size).toBeLessThanOrEqual(1);
      expect(vectors.every((vector) => vector.every(Number.isFinite))).toBe(true);
    }),
  );
});

describe('a server over HTTP', () => {
  let asked = 0;
  let answer: (response: ServerResponse) => unknown;
  let server: Awaited<ReturnType<typeof listen>>;
  const embedder = () => deployedEmbedder({ send: async () => ({ SecretString: 'key' }) } as never);
  beforeAll(async () => {
    server = await listen((_request, response) => {
      asked += 1;
      answer(response);
    });
    process.env.EMBEDDING_BASE_URL = `${server.url}/v1`;
  });
  afterAll(() => {
    delete process.env.EMBEDDING_BASE_URL;
    return server.stop();
  });

  test('that asks for a pause is not asked sooner, and the call is made again then (R198)', async () => {
    asked = 0;
    answer = (response) => response.writeHead(429, { 'retry-after': '600' }).end('{}');
    const { embed } = embedder();
    for (let time = 0; time < 2; time++)
      await expect(embed(['Hi'])).rejects.toMatchObject({
        name: 'ToolFailed',
        notBefore: expect.any(Date),
      });
    expect(asked).toBe(1);
  });

  const read = (status: number) => (json?: string) => {
    answer = (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(json);
    return embedder()
      .embed(['One', 'Two'])
      .then(({ vectors }) => vectors);
  };

  test.each([
    [400, 'TellModel'],
    [429, 'ToolFailed'],
    [500, 'ToolFailed'],
  ])('whatever it says beside the status %i, it is %s (R189)', async (status, name) => {
    const error = { error: { message: 'No.', type: 'invalid_request_error', param: null, code: 'x' } };
    expect(await wrongReadings(error, { read: read(status), errors: [name] })).toEqual([]);
  });
});
