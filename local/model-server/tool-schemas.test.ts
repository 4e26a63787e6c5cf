import { anthropicToolFault, bedrockToolFault, openaiProblem } from './tool-schemas';

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const inside = "In context=('properties', 'x'),";

describe('what providers refuse in schemas (R190)', () => {
  test.each<[object, string | undefined]>([
    [object({ x: { type: 'string', enum: ['a'] } }), undefined],
    [object({ x: { type: ['string', 'null'], format: 'date' } }), undefined],
    [object({ x: { anyOf: [{ $ref: '#' }, { type: 'null' }], description: 'Itself' } }), undefined],
    [{ type: 'array', items: {} }, `schema must be a JSON Schema of 'type: "object"', got 'type: "array"'.`],
    [object({ x: {} }), `${inside} schema must have a 'type' key.`],
    [object({ x: { type: 'string', default: 'a' } }), `${inside} 'default' is not permitted.`],
    [object({ x: { oneOf: [{ type: 'string' }] } }), `${inside} 'oneOf' is not permitted.`],
    [object({ x: { type: 'string', minLength: 1 } }), `${inside} 'minLength' is not permitted.`],
    [object({ x: { type: 'string', format: 'uri' } }), `${inside} 'uri' is not a valid format.`],
    [object({ x: { type: 'array' } }), `${inside} array schema missing items.`],
    [
      object({ x: { type: 'object', additionalProperties: { type: 'string' } } }),
      `${inside} 'additionalProperties' is`,
    ],
    [object({ x: { type: 'string', enum: ['a', 1] } }), `${inside} enum value 1 does not validate`],
    [object({ x: { $ref: '#/$defs/A', description: 'a' } }), "context=('properties', 'x'), $ref cannot have keywords"],
    [object({ x: { $ref: '#/$defs/A' } }), `${inside} reference can only point to definitions`],
    [
      object({ x: { type: 'string' } }, { $defs: { A: { type: 'map' } } }),
      "In context=('$defs', 'A'), 'map' is not valid",
    ],
    [object({}, { anyOf: [{ type: 'string' }] }), "In context=(), 'anyOf' is not permitted."],
  ])('OpenAI, strict: %j', (schema, problem) => {
    if (problem === undefined) expect(openaiProblem(schema, true)).toBeUndefined();
    else expect(openaiProblem(schema, true)).toContain(problem);
  });

  test('OpenAI, not strict: only what a list or an object is', () => {
    expect(openaiProblem({ type: 'object', properties: { x: { type: 'array' } } }, false)).toBe(
      `${inside} array schema missing items.`,
    );
    expect(openaiProblem({ type: 'object' }, false)).toBe('In context=(), object schema missing properties.');
    expect(openaiProblem({ type: 'object', properties: { x: { oneOf: [{ default: 1 }] } } }, false)).toBeUndefined();
  });

  test.each<[object, string]>([
    [{}, 'tools.0.custom.input_schema.type: Field required'],
    [{ type: 'string' }, "tools.0.custom.input_schema.type: Input should be 'object'"],
    [object({}, { oneOf: [{}] }), 'input_schema does not support oneOf, allOf, or anyOf at the top level'],
    [
      object({ x: { type: 'integer', required: 'a' } }),
      'JSON schema is invalid. It must match JSON Schema draft 2020-12',
    ],
    [object({ x: object({ 'a b': { type: 'string' } }) }), "should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"],
  ])('Anthropic: %j', (schema, problem) => {
    expect(anthropicToolFault({ name: 'find', schema, at: '0' })).toContain(problem);
  });

  test('Bedrock, and Claude behind it', () => {
    const asked = { name: 'find', schema: object({ 'a b': { type: 'string' } }), at: '0' };
    expect(bedrockToolFault({ ...asked, schema: {} }, 'amazon.nova')).toBe(
      'The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.',
    );
    expect(bedrockToolFault(asked, 'amazon.nova')).toBeUndefined();
    expect(bedrockToolFault(asked, 'eu.anthropic.claude-sonnet-5')).toMatch(
      /^The model returned the following errors: /,
    );
    expect(bedrockToolFault({ ...asked, name: 'a b' }, 'amazon.nova')).toContain(
      "'toolConfig.tools.1.member.toolSpec.name'",
    );
    expect(bedrockToolFault({ ...asked, description: '' }, 'amazon.nova')).toContain(
      'length greater than or equal to 1',
    );
  });
});
