import fc from 'fast-check';
import * as z from 'zod';
import { anthropicToolFault, openaiProblem } from '../../../local/model-server/tool-schemas';
import { type JsonSchema, modelSchema } from './model-schema';
import { parseInput } from './parse-input';

const schemaOf = (field: z.ZodType, strict = true) => modelSchema(z.object({ x: field }), strict).properties.x;
const problemWith = (field: z.ZodType): string | undefined => {
  try {
    modelSchema(z.object({ x: field }));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a model is told what it may send, at every depth (R190)', () => {
  test.each<[string, z.ZodType, object]>([
    [
      'an optional field is null instead',
      z.string().optional().describe('Who'),
      {
        type: ['string', 'null'],
        description: 'Who. Null to leave it out.',
      },
    ],
    [
      'a default is told',
      z.enum(['a', 'b']).default('a'),
      {
        anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
        description: 'Null for the default, "a".',
      },
    ],
    [
      'z.stringbool() reads texts',
      z.stringbool().describe('words'),
      { type: 'string', enum: ['true', 'false'], description: 'words' },
    ],
    ['its own texts, too', z.stringbool({ truthy: ['ja'], falsy: ['nein'] }), { type: 'string', enum: ['ja', 'nein'] }],
    ['what comes into a transform', z.string().transform(Number), { type: 'string' }],
    [
      'what comes into a codec',
      z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: String }),
      {
        type: 'string',
        format: 'date',
      },
    ],
    ['a time in UTC', z.iso.datetime(), { type: 'string', format: 'date-time', description: 'in UTC, ending in Z' }],
    ['other formats are words', z.email(), { type: 'string', description: 'format: email' }],
    [
      'limits are words',
      z.array(z.string().min(1).max(9).describe('A tag')).max(3),
      {
        type: 'array',
        items: { type: 'string', description: 'A tag (1 to 9 characters)' },
        description: 'at most 3 items',
      },
    ],
    [
      'several divisors',
      z.number().multipleOf(2).multipleOf(3).gt(1),
      {
        type: 'number',
        description: 'more than 1, a multiple of 2, a multiple of 3',
      },
    ],
    [
      'constants of several types',
      z.literal([1, 'a', null]),
      {
        anyOf: [{ type: 'number', enum: [1] }, { type: 'string', enum: ['a'] }, { type: 'null' }],
      },
    ],
    ['an example', z.string().meta({ examples: ['Ada'] }), { type: 'string', description: 'for example "Ada"' }],
  ])('%s', (_, field, told) => {
    expect(schemaOf(field)).toEqual(told);
  });

  test('a discriminated union is `anyOf`, with closed objects', () => {
    const field = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), text: z.string().optional() }),
      z.object({ kind: z.literal('b') }),
    ]);
    expect(schemaOf(field)).toEqual({
      anyOf: [
        expect.objectContaining({ required: ['kind', 'text'], additionalProperties: false }),
        expect.objectContaining({ required: ['kind'], additionalProperties: false }),
      ],
    });
  });

  test('a record with listed keys is an object, and an intersection of objects is one', () => {
    expect(schemaOf(z.partialRecord(z.enum(['a', 'b']), z.int()))).toMatchObject({
      required: ['a', 'b'],
      properties: { a: { type: ['integer', 'null'] } },
    });
    const both = z.object({ a: z.string() }).and(z.object({ b: z.string().optional() }));
    expect(schemaOf(both)).toMatchObject({ required: ['a', 'b'], additionalProperties: false });
  });

  test('a schema in itself is a reference, without any other keyword', () => {
    const Tree = z.object({
      name: z.string(),
      get left(): z.ZodType {
        return Tree.optional().describe('Smaller');
      },
    });
    const told = modelSchema(z.object({ tree: Tree.describe('All') }));
    expect(openaiProblem(told, true)).toBeUndefined();
    const input = z.object({ tree: Tree });
    const given = { tree: { name: 'a', left: { name: 'b', left: null } } };
    expect(parseInput(input, given).data).toEqual({ tree: { name: 'a', left: { name: 'b' } } });
  });

  test.each<[z.ZodType, string]>([
    [z.record(z.string(), z.number()), 'x: a record has no named fields: use a list'],
    [z.looseObject({ a: z.string() }), 'x: a model cannot send fields that are not named'],
    [z.object({ a: z.string() }).catchall(z.string()), 'x: a model cannot send fields that are not named'],
    [z.object({ b: z.array(z.object({ c: z.any() })) }), 'x.b[].c: it may be anything'],
    [z.union([z.string(), z.object({ a: z.unknown() })]), 'x|2.a: it may be anything'],
    [z.tuple([z.string(), z.int()]), 'x: a tuple cannot be told to a model: use an object'],
    [z.intersection(z.string(), z.enum(['a'])), 'x: an intersection cannot be told'],
    [z.object({ at: z.date() }), 'x.at: Date cannot be represented in JSON Schema: use a text'],
    [z.bigint(), 'x: BigInt cannot be represented in JSON Schema: use z.int()'],
    [z.map(z.string(), z.string()), 'x: Map cannot be'],
    [z.transform(Number), 'x: Transforms cannot be represented in JSON Schema: name what comes in first'],
    [z.custom<string>(), 'x: Custom types cannot be'],
    [z.union([z.string(), z.undefined()]), 'x|2: Undefined cannot be'],
    [z.never(), 'x: nothing fits it: leave it out'],
    [z.file(), 'x: z.file() cannot be sent'],
    [z.promise(z.string()), 'x: z.promise() cannot be sent'],
    [z.object({ 'a b': z.string() }), 'x.a b: rename it'],
    [z.json(), 'x|6: a record has no named fields'],
    [
      z.enum(Array.from({ length: 1_001 }, (_, index) => `v${index}`)),
      'it has 1001 fixed values, and providers allow 1000',
    ],
    [nested(10), 'x.a.a.a.a.a.a.a.a.a: objects may be nested in at most 10 levels'],
  ])('what cannot be expressed is refused with its path: %#', (field, problem) => {
    expect(problemWith(field)).toMatch(new RegExp(`^${problem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  });

  test('a tool that is not strict may have what is open', () => {
    for (const field of [z.record(z.string(), z.int()), z.looseObject({}), z.any(), z.json(), z.tuple([z.string()])]) {
      const told = modelSchema(z.object({ x: field, y: z.string().optional() }), false);
      expect(openaiProblem(told, false)).toBeUndefined();
      expect(told.required).toEqual(told.required.filter((name: string) => name !== 'y'));
    }
    expect(() => modelSchema(z.object({ x: z.date() }), false)).toThrow('x: Date cannot');
  });
});

describe('the null of an optional field is left out before the tool’s schema reads it (R190)', () => {
  test.each<[string, z.ZodObject, object, object]>([
    ['in objects', z.object({ a: z.object({ b: z.string().optional() }) }), { a: { b: null } }, { a: {} }],
    ['in lists', z.object({ a: z.array(z.object({ b: z.int().optional() })) }), { a: [{ b: null }] }, { a: [{}] }],
    [
      'in records',
      z.object({ a: z.record(z.string(), z.object({ b: z.int().optional() })) }),
      { a: { k: { b: null } } },
      { a: { k: {} } },
    ],
    [
      'in unions',
      z.object({ a: z.union([z.object({ k: z.literal(1), b: z.int().optional() }), z.object({ k: z.literal(2) })]) }),
      { a: { k: 1, b: null } },
      { a: { k: 1 } },
    ],
    [
      'of defaults',
      z.object({ a: z.object({ b: z.int().default(7) }).prefault({}) }),
      { a: { b: null } },
      { a: { b: 7 } },
    ],
    ['of what would coerce it', z.object({ a: z.coerce.number().optional() }), { a: null }, {}],
    ['but no null that the field takes', z.object({ a: z.string().nullish() }), { a: null }, { a: null }],
    [
      'before a transform',
      z.object({ a: z.object({ b: z.string().optional() }).transform(({ b }) => b ?? 'none') }),
      { a: { b: null } },
      { a: 'none' },
    ],
  ])('%s', (_, input, sent, got) => {
    expect(parseInput(input, sent).data).toEqual(got);
  });

  test('a null for a required field stays a mistake', () => {
    expect(parseInput(z.object({ a: z.string() }), { a: null }).success).toBe(false);
  });
});

function nested(levels: number): z.ZodType {
  return levels === 0 ? z.string() : z.object({ a: nested(levels - 1) });
}

/** Any schema that an author may write, some of which no model can be told of. */
const { any: anySchema } = fc.letrec<{ any: z.ZodType; leaf: z.ZodType }>((tie) => ({
  leaf: fc.oneof(
    fc
      .constantFrom<() => z.ZodType>(
        () => z.string(),
        () => z.string().min(2).max(5),
        () => z.string().regex(/^a+$/),
        () => z.iso.datetime(),
        () => z.iso.date(),
        () => z.email(),
        () => z.number().gt(1),
        () => z.int().min(0).max(9),
        () => z.coerce.number(),
        () => z.boolean(),
        () => z.stringbool(),
        () => z.null(),
        () => z.enum(['a', 'b']),
        () => z.literal(['a', 1, null]),
        () => z.string().transform((text) => text.length),
        () => z.preprocess((value) => value, z.int()),
        () => z.templateLiteral(['n', z.int()]),
        () => z.any(),
        () => z.date(),
        () => z.bigint(),
        () => z.transform(String),
        () => z.undefined(),
      )
      .map((make) => make()),
  ),
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    tie('leaf'),
    tie('any').map((one) => one.optional()),
    tie('any').map((one) => one.nullable()),
    tie('any').map((one) => one.describe('words')),
    tie('any').map((one) => z.array(one).max(3)),
    tie('any').map((one) => one.catch(undefined as never)),
    tie('any').map((one) => one.readonly()),
    fc.dictionary(fc.constantFrom('a', 'b', 'c_d', 'E.f'), tie('any'), { maxKeys: 3 }).map((shape) => z.object(shape)),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2 }).map((shape) => z.looseObject(shape)),
    tie('any').map((one) => z.record(z.string(), one)),
    tie('any').map((one) => z.partialRecord(z.enum(['p', 'q']), one)),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((options) => z.union(options)),
    fc
      .tuple(tie('any'), tie('any'))
      .map(([a, b]) =>
        z.discriminatedUnion('k', [
          z.object({ k: z.literal('x'), a }),
          z.object({ k: z.literal('y'), b: b.optional() }),
        ]),
      ),
    fc.tuple(tie('any'), tie('any')).map((items) => z.tuple(items)),
    fc.tuple(tie('any'), tie('any')).map(([a, b]) => z.object({ a }).and(z.object({ b }))),
  ),
}));

/** Any value that a server which enforces the schema lets a model send. */
function anyValueOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(anyValueOf));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => anyValueOf({ ...schema, type })));
  if (schema.format === 'date-time') return fc.constant('2030-01-01T09:00:00Z');
  if (schema.format === 'date') return fc.constant('2030-01-01');
  if (schema.type === 'string') return fc.string();
  if (schema.type === 'integer') return fc.integer();
  if (schema.type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  if (schema.type === 'array') return fc.array(anyValueOf(schema.items), { maxLength: 3 });
  if (schema.type !== 'object') throw new Error(`no type: ${JSON.stringify(schema)}`);
  return fc.record(
    Object.fromEntries(Object.entries<JsonSchema>(schema.properties).map(([name, one]) => [name, anyValueOf(one)])),
  );
}

/** What JSON schema could say, and a model is told in words. */
const inWords = new Set(['too_small', 'too_big', 'invalid_format', 'not_multiple_of', 'custom']);
const isInWords = (issue: z.core.$ZodIssue): boolean =>
  inWords.has(issue.code) ||
  (issue.code === 'invalid_union' && issue.errors.some((option) => option.length > 0 && option.every(isInWords)));

test('a value that misses one option of a union by its limits alone is refused for these, not for the shape of another option', () => {
  const record = z.partialRecord(z.enum(['p', 'q']), z.string().regex(/^a+$/));
  const input = z.object({ list: z.array(z.union([record, z.object({ n: z.number().max(3) })])) });
  const { error } = parseInput(input, { list: [{ n: 1 }, { n: 9 }] });
  expect(error?.issues).toEqual([expect.objectContaining({ code: 'too_big', path: ['list', 1, 'n'] })]);
  // What is said of other fields stays, and so does what is said of another union at the same place.
  const card = z.union([z.object({ card: z.string().min(9) }), z.object({ iban: z.string().min(9) })]);
  const both = z.object({ cents: z.number() }).and(card);
  const paths = (schema: z.ZodType, given: unknown) =>
    parseInput(schema, given).error?.issues.map(({ path }) => path.join('.'));
  expect(paths(both, { card: '1' })).toEqual(['cents', 'card']);
  expect(paths(card.catch({ card: '' }).and(z.object({ cents: z.number() })), { card: '1' })).toEqual(['cents']);
  const swallowed = z.object({ list: input.shape.list.catch([]), name: z.string() });
  expect(parseInput(swallowed, { list: [{ n: 9 }], name: 1 }).error?.issues).toEqual([
    expect.objectContaining({ path: ['name'] }),
  ]);
});

test('unions in unions are read once each, however deep they are', () => {
  let reads = 0;
  const text = z.string().refine(() => {
    reads += 1;
    return true;
  });
  type Node = { text: string } | { all: Node[] };
  const node: z.ZodType<Node> = z.lazy(() => z.union([z.object({ text }), z.object({ all: z.array(node) })]));
  let tree: Node = { text: 'a' };
  for (let depth = 0; depth < 12; depth++) tree = { all: [tree] };
  expect(parseInput(node, tree).success).toBe(true);
  // Each union is parsed where it stands, and again by each one around it.
  expect(reads).toBeLessThan(200);
});

test('any schema is refused with a path, or told so that providers take it and what fits it parses (R190)', () => {
  const shape = fc.dictionary(fc.constantFrom('a', 'b', 'c'), anySchema, { minKeys: 1, maxKeys: 3 });
  fc.assert(
    fc.property(shape, fc.gen(), (fields, draw) => {
      const input = z.object(fields);
      let told: JsonSchema;
      try {
        told = modelSchema(input);
      } catch (error) {
        expect((error as Error).message).toMatch(/^[abc][\w.[\]{}|]*: ./);
        return;
      }
      expect(openaiProblem(told, true)).toBeUndefined();
      expect(anthropicToolFault({ name: 'x', schema: told, at: '0' })).toBeUndefined();
      const sent = JSON.parse(JSON.stringify(draw(() => anyValueOf(told))));
      const { error } = parseInput(input, sent);
      const others = error?.issues.filter((issue) => !isInWords(issue)) ?? [];
      expect({ told: others.length > 0 && told, sent: others.length > 0 && sent, others }).toEqual({
        told: false,
        sent: false,
        others: [],
      });
    }),
    { numRuns: 150, endOnFailure: true, interruptAfterTimeLimit: 20_000 },
  );
});
