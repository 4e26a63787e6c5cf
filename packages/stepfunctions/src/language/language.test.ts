import { choiceOperators } from './choice-operators';
import { covers } from './errors';
import { compileIntrinsic } from './intrinsics/intrinsic';
import { JavaRandom } from './intrinsics/java-random';
import type { Json, JsonObject } from './json';
import { longerThan } from './json';
import { compileQuery } from './jsonata/jsonata-template';
import { parseJsonPath } from './paths/json-path';
import { compilePath } from './paths/path-expression';
import { writePath } from './paths/reference-path';
import { compileTemplate } from './payload-template';
import { Random } from './random';
import type { Scope } from './scope';
import { driveAtOnce } from './steps';
import { parseTimestamp } from './timestamp';
import { Work } from './work';

const scope = (input: Json, variables: JsonObject = {}): Scope => ({
  input,
  variables: { values: variables },
  context: () => ({ Execution: { Name: 'e' } }),
  random: () => new Random(1),
  time: 1_700_000_000_000,
  work: new Work(),
});

test('ResultPath writes beside what is there, and shares the rest', () => {
  const input = { a: { b: 1 }, c: [1, 2] };
  const write = (path: string, value: Json) => writePath(parseJsonPath(path), input, value) as typeof input;
  expect(write('$.a.x.y', 2)).toEqual({ a: { b: 1, x: { y: 2 } }, c: [1, 2] });
  expect(write('$.c[1]', 5).c).toEqual([1, 5]);
  expect(write('$.a', null).c).toBe(input.c);
  expect(input).toEqual({ a: { b: 1 }, c: [1, 2] });
  expect(() => write('$.c.d', 1)).toThrow();
});

test.each<[string, Json]>([
  ["States.Format('\\{\\} and {}', 'it\\'s')", "{} and it's"],
  ["States.StringToJson('  ')", null],
  ['States.StringToJson(null)', null],
  ['States.JsonToString($.list)', '[1,2,2,3]'],
  ['States.JsonToString(12345678.9)', '1.23456789E7'],
  ['States.JsonToString(States.Array(0.00012, 1.5, 12345678901))', '[1.2E-4,1.5,12345678901]'],
  ["States.Format('{} {}', 1E22, States.Array(1.25E10, 1.00000000005))", '1.0E22 [12500000000, 1.00000000005]'],
  ["States.Array($.n, 'two', null, true)", [3, 'two', null, true]],
  ['States.ArrayRange(3, 0, -1)', [3, 2, 1, 0]],
  ["States.Base64Decode('RGF0YQ')", 'Data'],
  ["States.Hash('input data', 'SHA-1')", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
  ["States.StringSplit('1,2;3', ',;')", ['1', '2', '3']],
  ["States.ArrayGetItem(States.StringSplit('a-b', '-'), 1)", 'b'],
  ['States.Format($$.Execution.Name)', 'e'],
  ['States.MathAdd($v.n, 1)', 8],
])('%s', (text, expected) => {
  const input = { name: 'x', n: 3, list: [1, 2, 2, 3], a: { x: 1, y: 2 }, b: { y: 3, z: 4 } };
  expect(compileIntrinsic(text)(scope(input, { v: { n: 7 } }))).toEqual(expected);
});

test('a seed gives the numbers of java.util.Random', () => {
  const random = new JavaRandom(42);
  expect([random.nextInt(10), random.nextInt(10), new JavaRandom(0).nextInt(16)]).toEqual([0, 3, 11]);
  expect(compileIntrinsic('States.MathRandom(5, 15, 42)')(scope({}))).toBe(5);
});

test('random numbers and UUIDs come out the same for the same transition', () => {
  const both = () => [
    compileIntrinsic('States.MathRandom(1, 1000)')(scope({})),
    compileIntrinsic('States.UUID()')(scope({})),
  ];
  expect(both()).toEqual(both());
  expect(both()[1]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});

test.each([
  ['States.ArrayGetItem($.list, 9)', 'States.IntrinsicFailure'],
  ['States.MathAdd($.list, 1)', 'States.IntrinsicFailure'],
  ['States.MathRandom(2, 2)', 'States.IntrinsicFailure'],
  ["States.Format('{} {}', 1)", 'States.IntrinsicFailure'],
  ["States.Base64Decode('not base64')", 'States.IntrinsicFailure'],
  ["States.Base64Decode('RGF0Y===')", 'States.IntrinsicFailure'],
  [`States.Hash('${'x'.repeat(10_001)}', 'MD5')`, 'States.IntrinsicFailure'],
  [`States.Hash('x', 'constructor')`, 'States.IntrinsicFailure'],
  ['States.ArrayLength($.missing)', 'States.Runtime'],
  ['States.ArrayLength($missing)', 'States.Runtime'],
  ["States.Format('{}', $missing.x)", 'States.Runtime'],
])('%s fails', (text, error) => {
  expect(() => compileIntrinsic(text)(scope({ list: [] }))).toThrow(expect.objectContaining({ error }));
});

test.each(['States.Nothing()', 'States.Array(1,)', 'States.Format(', "States.Format('a'", 'States.UUID() x'])(
  '%s is no call',
  (text) => {
    expect(() => compileIntrinsic(text)).toThrow();
  },
);

test('a payload template fills in the fields that end in .$, and copies nothing else', () => {
  const fixed = { deep: [1] };
  const made = compileTemplate({ 'a.$': '$.x', b: fixed, c: [{ 'd.$': '$v' }] })(
    scope({ x: 1 }, { v: 'var' }),
  ) as JsonObject;
  expect(made).toEqual({ a: 1, b: { deep: [1] }, c: [{ d: 'var' }] });
  expect(made.b).toBe(fixed);
});

test('a field has at most ten calls', () => {
  const array = (calls: number) => `States.Array(${Array(calls).fill('States.Array()').join(', ')})`;
  expect(compileIntrinsic(array(9))(scope({}))).toHaveLength(9);
  expect(() => compileIntrinsic(array(10))).toThrow();
});

test('a payload template takes a wildcard below nothing for no values, and an index beyond the end for null', () => {
  const made = compileTemplate({ 'a.$': '$.none[*].x', 'b.$': '$.list[7]', 'c.$': 'States.ArrayLength($.none[1:])' });
  expect(made(scope({ list: [1] }))).toEqual({ a: [], b: null, c: 0 });
});

test('paths into variables and the context object', () => {
  expect(compilePath('$v.a[0]').read(scope(null, { v: { a: [5] } }))).toBe(5);
  expect(compilePath('$$.Execution.Name').read(scope(null))).toBe('e');
});

// Others are recorded.
test.each<[string, Json, Json, boolean]>([
  ['StringMatches', 'log-2024.txt', 'log-*.txt', true],
  ['NumericEquals', '3', 3, false],
  ['IsTimestamp', '2016-03-14 01:59:00Z', false, true],
  ['IsString', 1, false, true],
  ['IsBoolean', false, true, true],
])('%s(%j, %j)', (operator, value, expected, holds) => {
  expect(choiceOperators[operator]!.compare(value, expected)).toBe(holds);
});

test('timestamps: upper-case T, a zone, and a day that exists', () => {
  expect(parseTimestamp('2016-03-14T01:59:00.123456789Z')).toBeCloseTo(1_457_920_740_123.46, 1);
  for (const text of ['2016-03-14t01:59:00Z', '2016-03-14T01:59:00', '2023-02-30T00:00:00Z', '2016-12-05T25:29:29Z']) {
    expect(parseTimestamp(text)).toBeUndefined();
  }
});

test('which failures a retrier or catcher covers', () => {
  expect(covers(['States.ALL'], { error: 'Anything' })).toBe(true);
  expect(covers(['States.ALL'], {})).toBe(true);
  expect(covers(['States.ALL'], { error: 'States.Runtime' })).toBe(false);
  expect(covers(['States.ALL'], { error: 'States.DataLimitExceeded' })).toBe(true);
  expect(covers(['States.DataLimitExceeded'], { error: 'States.DataLimitExceeded' })).toBe(true);
  expect(covers(['States.TaskFailed'], { error: 'Boom' })).toBe(true);
  expect(covers(['States.TaskFailed'], { error: 'States.Timeout' })).toBe(false);
  expect(covers(['States.HeartbeatTimeout'], { error: 'States.Timeout', heartbeat: true })).toBe(true);
});

describe('JSONata', () => {
  const evaluate = async (value: Json, input: Json = {}, variables: JsonObject = {}) =>
    driveAtOnce(compileQuery(value, 'Output')(scope(input, variables)));

  test.each<[string, Json]>([
    ['{% $states.input.n + $v %}', 5],
    ['{% $range(0, 4, 2) %}', [0, 2, 4]],
    ['{% $range(0, 4, 5) %}', 0],
    ["{% $hash('input data', 'SHA-1') %}", 'aaff4a450a104cd177d28d18d74485e8cae074b7'],
    ['{% $parse(\'{"a":1}\').a %}', 1],
    ['{% $now() %}', '2023-11-14T22:13:20.000Z'],
    ["{% $now('[Y]') %}", '2023'],
    ['{% $states.context.Execution.Name %}', 'e'],
    ['{% $random(42) %}', 0.7275636800328681],
    ['{% $range(1, 1, 1) %}', 1],
    ['{% $range(-1.7, 2, 1) %}', [-1, 0, 1, 2]],
    ['{% $count($range(1, 360145, 1)) %}', 360_145],
    ['{% [1..873782] ~> $count() %}', 873_782],
    ['{% $partition([1, 2, 3], 2.9) %}', [[1, 2], [3]]],
    ["{% [$range(5, 1, 1), $range(1, 5), $partition([], 1), $partition([1], 0), $hash('x')] %}", []],
    ['{% [$hash($nothing, "MD5"), $parse($nothing), $range(1, $nothing, 1), $partition($nothing, 2)] %}', []],
    ['{% $base64decode("RGF0YQ") %}', 'Data'],
    ["{% [$base64encode('é'), $base64decode('w6k='), $base64encode($nothing)] %}", ['w6k=', 'é']],
    ['{% [1/0, -1/0, 0/0] %}', ['Infinity', '-Infinity', 'NaN']],
    [`{% ${'1+'.repeat(99)}1 %}`, 100],
    ['{% [$states.input.list[$ > 1]] %}', [2, 3]],
  ])('%s', async (text, expected) => {
    expect(await evaluate(text, { n: 3, list: [1, 2, 3] }, { v: 2 })).toEqual(expected);
  });

  test('counts the steps of each evaluation apart', async () => {
    const query = compileQuery(`{% ${'1+'.repeat(60)}1 %}`, 'Output');
    const both = [driveAtOnce(query(scope({}))), driveAtOnce(query(scope({})))];
    expect(await Promise.all(both)).toEqual([61, 61]);
  });

  test('fills in every expression, however deep, and nothing else', async () => {
    expect(await evaluate({ a: ['{% 1 + 1 %}', ' {% 1 %}'], b: 'text' })).toEqual({ a: [2, ' {% 1 %}'], b: 'text' });
  });

  test('fails for nothing, for what is no JSON, and for $eval', async () => {
    await expect(evaluate({ x: '{% $nothing %}' })).rejects.toMatchObject({
      error: 'States.QueryEvaluationError',
      options: { location: 'Output/x' },
    });
    await expect(evaluate('{% $sum %}')).rejects.toMatchObject({ error: 'States.QueryEvaluationError' });
    await expect(evaluate("{% $eval('1') %}")).rejects.toMatchObject({ detail: expect.stringContaining('T1006') });
    await expect(evaluate("{% $base64decode('!!!') %}")).rejects.toMatchObject({
      detail: expect.stringContaining('threw an internal error during evaluation. '),
    });
    await expect(evaluate("{% $split('a', $nothing) %}")).rejects.toMatchObject({
      detail: expect.stringContaining('threw an internal error during evaluation. '),
    });
    await expect(evaluate('{% $range(1, 360146, 1) %}')).rejects.toMatchObject({
      detail: expect.stringContaining('threw an error during evaluation: Expression evaluation memory limit exceeded'),
    });
    await expect(evaluate('{% $sum([1..873783]) %}')).rejects.toMatchObject({
      detail: expect.stringContaining('memory limit exceeded: Check for excessive memory usage'),
    });
    await expect(evaluate(`{% ${'1+'.repeat(100)}1 %}`)).rejects.toMatchObject({
      detail: expect.stringContaining('Stack overflow error: Check for non-terminating recursive function. '),
    });
  });
});

test('too much data, and data too deep, is noticed without being written out', () => {
  expect(longerThan('x'.repeat(100), 101)).toBe(true);
  expect(longerThan('x'.repeat(100), 102)).toBe(false);
  expect(
    longerThan(
      Array.from({ length: 1000 }, () => 1),
      1500,
    ),
  ).toBe(true);
  let deep: Json = 1;
  for (let i = 0; i < 2_000; i += 1) deep = { deep };
  expect(longerThan(deep, 1_000_000)).toBe(true);
});
