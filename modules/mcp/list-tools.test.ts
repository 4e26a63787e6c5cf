import fc from 'fast-check';
import type { Session } from './connection';
import { listTools } from './list-tools';

const good = { name: 'book', description: 'Books', inputSchema: { type: 'object' } };
const listOf = (page: object) =>
  listTools(
    { client: { request: async () => page }, orAsItIs: (answer: unknown) => answer } as unknown as Session,
    new AbortController().signal,
  );

test('whatever else a server lists, the tools of the protocol are found (R189)', async () => {
  const odd = fc.oneof(fc.anything(), fc.record({ name: fc.anything(), inputSchema: fc.anything() }));
  const isNamesake = (one: unknown) => (one as { name?: unknown } | null)?.name === good.name;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(odd, { selector: (one) => (one as { name?: unknown } | null)?.name }),
      async (others) => {
        const tools = await listOf({ tools: [...others.filter((one) => !isNamesake(one)), good] });
        expect(tools.get('book')).toMatchObject({ name: 'book', inputSchema: { type: 'object' } });
        for (const [name, { inputSchema }] of tools)
          expect([typeof name, inputSchema.type]).toEqual(['string', 'object']);
      },
    ),
  );
});

test.each([[{}], [{ tools: null }], [{ tools: {} }], [{ tools: [good], nextCursor: 5 }]])(
  'the list %j ends, and is no failure (R189)',
  async (page) => {
    expect([...(await listOf(page)).keys()]).toEqual('nextCursor' in page ? ['book'] : []);
  },
);
