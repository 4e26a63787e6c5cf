import fc from 'fast-check';
import { outputOf, readAnswer } from './result';
import { McpResult } from './server';

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
};

test.each<[string, Record<string, unknown>, unknown]>([
  ['text', { content: [{ type: 'text', text: 'Done.' }] }, 'Done.'],
  ['content that is a text', { content: 'Done.' }, 'Done.'],
  ['nothing', {}, 'The tool returned nothing.'],
  ['content of null', { content: null }, 'The tool returned nothing.'],
  [
    'a block of an unknown type beside a text',
    { content: [{ type: 'hologram' }, { type: 'text', text: 'Done.' }] },
    '[content that is not of the protocol: not shown]\n\nDone.',
  ],
  [
    'a text that is a number',
    { content: [{ type: 'text', text: 5 }] },
    '[content that is not of the protocol: not shown]',
  ],
  ['half a character', { content: [{ type: 'text', text: 'a\ud83d' }] }, 'a\ufffd'],
  ['structured content', { structuredContent: { booked: 1 } }, { booked: 1 }],
  ['structured content of null', { structuredContent: null, content: 'Done.' }, 'Done.'],
  ['structured content that is a list', { structuredContent: [1, 2] }, '[1,2]'],
  [
    'a field that all objects have',
    { structuredContent: JSON.parse('{"__proto__":{"a":1}}') },
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
  ['structured content that is a text', { structuredContent: 'x', content: 'Done.' }, 'Done.\n\n"x"'],
])('an MCP server’s answer with %s is told as what it is (R189)', (_what, answer, output) => {
  const read = outputOf(readAnswer(answer));
  expect(JSON.stringify(McpResult.parse(read))).toBe(JSON.stringify(output));
});

test('structured content of 150,000 levels is stored as JSON that can be read (R189)', () => {
  expect(JSON.stringify(outputOf(readAnswer({ structuredContent: deep(150_000) })))).toContain('nested deeper than');
});

test('whatever a server answers, it becomes a result that fits, and only true is an error (R189)', () => {
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.anything(),
    fc.array(
      fc.record({
        type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 'x'),
        text: fc.anything(),
        data: fc.anything(),
        mimeType: fc.anything(),
        resource: fc.anything(),
        uri: fc.anything(),
        name: fc.anything(),
      }),
    ),
  );
  const answers = fc.record({ content: odd, structuredContent: odd, isError: odd }, { requiredKeys: [] });
  fc.assert(
    fc.property(answers, (answer) => {
      const read = readAnswer(answer);
      expect(read.isError).toBe(answer.isError === true);
      expect(read.text).not.toBe('');
      const output = outputOf(read);
      const json = JSON.stringify(output);
      expect(JSON.stringify(McpResult.parse(output))).toBe(json);
      expect(JSON.stringify(JSON.parse(json))).toBe(json);
    }),
  );
});
