import * as z from 'zod';
import { modelTool } from '../../core/base/schemas/model-tool';
import { parseInput } from '../../core/base/schemas/parse-input';
import { shipped } from '../../test/agents';
import { exampleOf } from './schema-example';

describe('an example of a JSON schema', () => {
  test.each<[schema: object, example: unknown]>([
    [{ type: 'string' }, 'some text'],
    [{ type: 'integer' }, 1],
    [{ type: 'number', minimum: 10 }, 10],
    [{ type: 'integer', exclusiveMinimum: 5 }, 6],
    [{ type: 'boolean' }, true],
    [{ type: 'null' }, null],
    [{ const: 'fixed' }, 'fixed'],
    [{ enum: ['red', 'blue'] }, 'red'],
    [{ type: 'string', default: 'USD' }, 'USD'],
    [{ type: 'string', examples: ['A1'] }, 'A1'],
    [{ type: 'string', description: 'Five fields, for example "0 8 * * 1" for Mondays' }, '0 8 * * 1'],
    [{ type: 'integer', description: 'How many, for example 5' }, 1],
    [{ type: ['string', 'null'] }, null],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, null],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }], description: 'For example: "A1"' }, 'A1'],
    [{ anyOf: [{ type: 'null' }, { type: 'string' }], default: 'x' }, 'x'],
    [{ oneOf: [{ type: 'object', properties: { a: { const: 1 } } }, { type: 'string' }] }, { a: 1 }],
    [{ allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, { a: 1, b: 2 }],
    [{ type: 'array', items: { enum: ['x'] } }, ['x']],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    [{ type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] }, [1, 'some text']],
    [{}, 'some text'],
  ])('%j is %j', (schema, example) => expect(exampleOf(schema)).toEqual(example));

  test('nested fields are named in texts, and a recursive schema ends', () => {
    const address = {
      type: 'object',
      properties: { street_name: { type: 'string' }, lines: { type: 'array', items: { type: 'string' } } },
    };
    expect(exampleOf({ type: 'object', properties: { address } })).toEqual({
      address: { street_name: 'some street name', lines: ['some lines'] },
    });
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    };
    expect(JSON.stringify(exampleOf(tree)).length).toBeLessThan(500);
    expect(exampleOf({ $ref: '#/$defs/Id', $defs: { Id: { const: 7 } } })).toBe(7);
  });

  test.each(
    Object.entries({
      ...{ datetime: z.iso.datetime(), date: z.iso.date(), duration: z.iso.duration() },
      ...{ email: z.email(), url: z.url(), uuid: z.uuid(), ipv4: z.ipv4(), ipv6: z.ipv6(), hostname: z.hostname() },
    }),
  )('of the format %s is of that format', (_, format) => {
    const schema = z.object({ value: format });
    expect(schema.safeParse(exampleOf(z.toJSONSchema(schema))).error).toBeUndefined();
  });

  test.each([...shipped.tools.values()].map((tool) => [tool.name, tool] as const))(
    'of %s fits that tool',
    (_, tool) => {
      const { parameters } = modelTool(tool);
      expect(parseInput(tool.input, exampleOf(parameters)).error).toBeUndefined();
    },
  );
});
