import * as z from 'zod';
import { modelSchema } from '../../core/base/schemas/model-schema';
import { modelTool } from '../../core/base/schemas/model-tool';
import { parseInput } from '../../core/base/schemas/parse-input';
import { shipped } from '../../test/agents';
import { exampleOf } from './schema-example';
import { misfit, withLimits } from './told-limits';

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

  const limited = {
    datetime: z.iso.datetime(),
    date: z.iso.date(),
    time: z.iso.time(),
    duration: z.iso.duration(),
    email: z.email(),
    url: z.url(),
    uuid: z.uuid(),
    guid: z.guid(),
    ipv4: z.ipv4(),
    ipv6: z.ipv6(),
    mac: z.mac(),
    hostname: z.hostname(),
    cidrv4: z.cidrv4(),
    cidrv6: z.cidrv6(),
    e164: z.e164(),
    emoji: z.emoji(),
    cuid: z.cuid(),
    cuid2: z.cuid2(),
    ulid: z.ulid(),
    xid: z.xid(),
    ksuid: z.ksuid(),
    nanoid: z.nanoid(),
    base64: z.base64(),
    base64url: z.base64url(),
    jwt: z.jwt(),
    hex: z.hex(),

    least: z.int().min(3),
    most: z.int().max(-3),
    between: z.number().gt(0.2).lt(0.3),
    positive: z.int().positive(),
    negative: z.number().negative(),
    step: z.int().multipleOf(7),
    cents: z.number().min(5).multipleOf(0.05),
    steps: z.int().min(10).multipleOf(4).multipleOf(6),
    downwards: z.int().max(-50).multipleOf(20),
    long: z.string().min(40),
    short: z.string().max(3),
    exact: z.string().length(12),
    empty: z.string().max(0),
    pattern: z.string().regex(/^[A-Z]{2}-\d{3,}$/),
    choice: z.string().regex(/^(?:red|blue) \w+ ?#[^a-z]+$/),
    bracket: z.string().regex(/^\(\d\), a$/),
    ahead: z.string().regex(/^(?=.*\d)(?=.*[a-z]).{8,}$/),
    letters: z.string().regex(/^\p{Lu}+$/u),
    both: z.string().startsWith('A/').endsWith('z').max(9),

    sized: z
      .string()
      .regex(/^[a-f]+$/)
      .length(24),
    upper: z.string().uppercase(),
    lower: z.string().lowercase(),
    list: z.array(z.int().min(2)).min(3),
    few: z.array(z.string()).max(2),
    none: z.array(z.string()).max(0),

    choice2: z.enum(['a', 'b']),
    literal: z.literal([7, 8]),
    union: z.union([z.int().min(9), z.string().min(20)]),

    optional: z.int().min(5).optional(),
    usual: z.string().min(3).default('abc'),
    maybe: z.array(z.email()).nullish(),
    nested: z.object({ code: z.string().regex(/^X\d$/) }).array(),
    bool: z.stringbool(),
    text: z.string().trim(),

    kinds: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('x'), n: z.int().min(2) }),
      z.object({ kind: z.literal('y') }),
    ]),

    example: z
      .string()
      .min(4)
      .meta({ examples: ['A1-7'] }),
    misfit: z.string().max(3).describe('For example "long"'),
    get tree(): z.ZodType {
      return Tree;
    },
  };
  const Tree = z.object({
    name: z.string().min(12),
    get children() {
      return z.array(Tree);
    },
  });

  test.each(Object.entries(limited))('of the limits of %s fits, told as limits or in words', (_, field) => {
    for (const value of [field, field.describe('What it is (more or less), from 1 to 5 of them.')]) {
      const schema = z.object({ value });
      const told = withLimits(modelSchema(schema));
      expect(misfit(told, exampleOf(told))).toBeUndefined();
      expect(parseInput(schema, exampleOf(told)).error).toBeUndefined();
    }
  });

  test.each([...shipped.tools.values()].map((tool) => [tool.name, tool] as const))(
    'of %s fits that tool',
    (_, tool) => {
      const { parameters } = modelTool(tool);
      expect(parseInput(tool.input, exampleOf(withLimits(parameters))).error).toBeUndefined();
    },
  );
});
