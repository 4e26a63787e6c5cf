import fc from 'fast-check';
import { everyFifth } from '../../../../test/support/long';
import { processorMs } from '../../../../test/support/processor-time';
import { choiceOperators } from './choice-operators';
import { compileIntrinsic } from './intrinsics/intrinsic';
import { type Json, type JsonObject, parseJson, sameJson } from './json';
import { jsonProblem } from './json-problem';
import { compileExpression, Evaluations } from './jsonata/evaluator';
import { compileQuery } from './jsonata/jsonata-template';
import { compilePath } from './paths/path-expression';
import { Random } from './random';
import { LinearRegExp } from './regular-expression';
import type { Scope } from './scope';
import { driveAtOnce } from './steps';
import { find, matchesParts } from './wildcards';
import { Work } from './work';

const scope = (input: Json, variables: JsonObject = {}, evaluations = new Evaluations(undefined, 3_000)): Scope => ({
  input,
  variables: { values: variables },
  context: () => ({}),
  random: () => new Random(1),
  time: 0,
  work: new Work(evaluations),
});
const jsonata = (text: string, input: Json = {}, evaluations?: Evaluations) =>
  driveAtOnce(compileQuery(`{% ${text} %}`, 'Output')(scope(input, {}, evaluations)));
const nested = (depth: number): Json => Array.from({ length: depth }).reduce<Json>((inside) => [inside], 1);

/** What a backtracking matcher would need years for. */
describe('a wildcard', () => {
  const { compare } = choiceOperators.StringMatches!;

  test.each([
    ['*2026-*-*T*:*:*Z', '2026-01-01T00:00:00 '.repeat(5_000)],
    [`*${'*a'.repeat(5_000)}b`, 'a'.repeat(100_000)],
    [`*${'a'.repeat(50_000)}b*`, 'a'.repeat(100_000)],
    [`*b${'a'.repeat(50_000)}*c`, 'a'.repeat(100_000)],
  ])('%.20s is matched in time proportional to the text (R196)', (pattern, text) => {
    expect(compare(text, pattern)).toBe(false);
  });

  test('finds what an ordinary search finds (R196)', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 });
    fc.assert(
      fc.property(few, few, fc.nat(5), (text, part, from) => find(text, part, from) === text.indexOf(part, from)),
    );
    const parts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '?'), maxLength: 4 }), {
      maxLength: 5,
      minLength: 1,
    });
    fc.assert(
      fc.property(few, parts, (text, list) => {
        const pattern = new RegExp(`^${list.map((part) => part.replaceAll('?', '.')).join('.*')}$`);
        return matchesParts(text, list, '?') === pattern.test(text);
      }),
    );
  });

  test('takes an escaped star, and a backslash, as they are (R196)', () => {
    expect(compare('a*b', 'a\\*b')).toBe(true);
    expect(compare('axb', 'a\\*b')).toBe(false);
    expect(compare('a\\zz', 'a\\\\*')).toBe(true);
    expect(compare('a\nb', 'a*b')).toBe(true);
  });
});

describe('a regular expression', () => {
  const letters = 'a'.repeat(50_000);

  test('of JSONata is matched without backtracking (R196)', () => {
    expect(() => jsonata('$match($states.input.t, /^(a+)+$/)', { t: `${letters}b` })).toThrow('returned nothing');
    expect(jsonata('$contains($states.input.t, /(x+x+)+y/)', { t: 'x'.repeat(50_000) })).toBe(false);
    expect(jsonata('$count($split($states.input.t, /(a|aa)+$/))', { t: `${letters}b` })).toBe(1);
    expect(jsonata("$replace($states.input.t, /(a|a)*c/, 'x')", { t: letters })).toBe(letters);
  });

  test('of a JSONPath filter is matched without backtracking (R196)', () => {
    const path = compilePath('$.list[?(@.t =~ /(a+)+/)].n');
    expect(
      path.read(
        scope({
          list: [
            { t: `${letters}b`, n: 1 },
            { t: letters, n: 2 },
          ],
        }),
      ),
    ).toEqual([2]);
  });

  test('that looks around itself is refused in a JSONPath filter, by what is wrong with it (R196)', () => {
    expect(() => compilePath('$.list[?(@.t =~ /(?=a)a/)]')).toThrow(/Invalid path .*\(\?=/);
    expect(() => compilePath('$.list[?(@.t =~ /(a)\\1/)]')).toThrow('Invalid path');
  });

  test.each([
    ['a.c', 'a\nc a\rc a\u2028c abc'],
    ['\\s+', 'a\u00a0\u2003\v b'],
    ['[\\s,]+', 'a,\u00a0b'],
    ['\\S+', '\u00a0ab\u3000'],
    ['(\\d+)-(x)?', '12- 3-x'],
    ['[[]a]', '[a] a]'],
    ['[^]', '\n'],
    ['\\u00e9\\/', 'é/'],
    ['\\ud83d\\udca5', '💥'],
    ['(?<word>\\w+)\\b', 'one two'],
    ['x*', 'axxb'],
    ['(a|ab)(c|bcd)(d*)', 'abcd'],
    ['[\\d\\-x]{2,}?', '1-x2'],
    ['(?=b)b', 'ab'],
    ['(.)\\1', 'abba'],
  ])('%s finds in %j what JavaScript finds (R196)', (source, text) => {
    for (const flags of ['g', 'gi', 'gm']) {
      const [linear, native] = [new LinearRegExp(source, flags), new RegExp(source, flags)];
      for (let turn = 0; turn < 3; turn += 1) {
        const [found, expected] = [linear.exec(text), native.exec(text)];
        expect(found && [...Array.from(found as never), found.index]).toEqual(
          expected && [...expected, expected.index],
        );
        expect(linear.lastIndex).toBe(native.lastIndex);
      }
    }
  });
});

describe('JSONata', () => {
  test.each(
    everyFifth<[string, string | RegExp]>([
      ['($f := function($n){ $f($n + 1) }; $f(0))', 'timeout: Check for infinite loop'],
      ['($f := function($n){ 1 + $f($n + 1) }; $f(0))', 'Stack overflow error'],
      ['[1..10000000]', 'memory limit exceeded'],
      ["$pad('x', 500000000)", 'memory limit exceeded'],
      ["($d := function($s, $n){ $n = 0 ? $s : $d($s & $s, $n - 1) }; $d('x', 60))", 'memory limit exceeded'],
      ["$map([1..1000], function($i){ $uppercase($pad('x', 6900000)) })", /timeout|memory/],
      ["($b := $pad('x', 6900000); $map([1..1000], function($i){ $uppercase($b & $i) }))", /timeout|memory/],
      ["$match($pad('x', 6000000), /./)", /timeout|memory/],
      ["($d := function($o, $n){ $n = 0 ? $o : $d({'l': $o, 'r': $o}, $n - 1) }; $d({}, 25))", 'memory limit exceeded'],
      ['[1e16..1e16]', 'must evaluate to an integer'],
      ['[9007199254740990..9007199254740999]', 'must evaluate to an integer'],
      ['[-9007199254740999..-9007199254740990]', 'must evaluate to an integer'],
      ['($a := [1..800000]; [1..500].$a)', 'memory limit exceeded'],
      ['($a := [1..800000]; $map([1..500], function($i){$a}).$)', 'memory limit exceeded'],
      ["($a := [1..800000]; $lookup($map([1..500], function($i){{'a': $a}}), 'a'))", 'memory limit exceeded'],
      ["$reduce([1..20000], function($a, $b){{'a': $a}})", 'memory limit exceeded'],
      ["$parse($pad('[', 1001, '[') & $pad(']', 1001, ']'))", 'nesting depth (1001) exceeds'],
    ]),
  )('%s ends with an error of AWS (R196)', (source, message) => {
    // What ends by its time may do so soon.
    const limitMs = String(message).includes('timeout') ? 500 : 3_000;
    expect(() => jsonata(source, {}, new Evaluations(undefined, limitMs))).toThrow(message);
  });

  test('that is slow for another reason is stopped by its time, and fails at once when it is made again (R196)', () => {
    const source = "$contains($pad('a', -40, 'a') & 'b', /^(?=a)(a+)+$/)";
    const first = new Evaluations(undefined, 1_000);
    expect(() => jsonata(source, {}, first)).toThrow('threw an error during evaluation: Expression evaluation timeout');
    expect(first.stopped).toEqual({ 1: 'time' });
    const began = processorMs();
    expect(() => jsonata(source, {}, new Evaluations(first.stopped))).toThrow('Expression evaluation timeout');
    expect(processorMs() - began).toBeLessThan(1_000);
    expect(jsonata('1 + 1')).toBe(2);
  });

  test('has its time for all expressions of a state together (R196)', () => {
    const limits: (number | undefined)[] = [];
    const evaluations = new Evaluations(undefined, 3_000);
    const evaluate = evaluations.evaluate.bind(evaluations);
    evaluations.evaluate = (expression, bindings, limit) => {
      limits.push(limit);
      return evaluate(expression, bindings, limit);
    };
    const { work } = scope({}, {}, evaluations);
    const expression = compileExpression('$count($map([1..3], function($x){$x}))');
    const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(2_500);
    expect(work.evaluate(expression, {})).toBe(3);
    clock.mockReturnValueOnce(2_500).mockReturnValueOnce(9_000);
    work.evaluate(expression, {});
    clock.mockRestore();
    expect(() => work.evaluate(compileExpression('($f := function(){$f()}; $f())'), {})).toThrow('timeout');
    expect(limits).toEqual([3_000, 500, 1]);
  });

  test('pads by whole characters (R196)', () => {
    expect(jsonata("[$pad('a💥', 5, 'xy'), $pad('a', -3), $pad('abc', 2), $pad('a', 3, '')]")).toEqual([
      'a💥xyx',
      '  a',
      'abc',
      'a  ',
    ]);
  });
});

describe('what nests deeply', () => {
  const path = (text: string) => compilePath(text);

  test.each<[string, () => unknown]>([
    ['parentheses of JSONata', () => compileQuery(`{% ${'('.repeat(2_000)}1${')'.repeat(2_000)} %}`, 'Output')],
    ['sums of JSONata', () => compileQuery(`{% 1${'+1'.repeat(5_000)} %}`, 'Output')],
    ['steps of a path', () => path(`$${'.a'.repeat(1_001)}`)],
    ['steps within a filter', () => path(`$.a[?(@${'.a'.repeat(1_001)})]`)],
    ['conditions with &&', () => path(`$.a[?(1==1${' && 1==1'.repeat(1_000)})]`)],
    ['conditions with ||', () => path(`$.a[?(1==1${' || 1==1'.repeat(1_000)})]`)],
    ['conditions with !', () => path(`$.a[?(${'!'.repeat(1_001)}@.a)]`)],
    ['conditions in parentheses', () => path(`$.a[?(${'('.repeat(1_001)}@.a${')'.repeat(1_001)})]`)],
  ])('%s are refused when they are read (R196)', (_, compile) => {
    expect(compile).toThrow(/nest to a depth of 1000|Invalid path/);
  });

  test.each([
    ['lists', '['.repeat(2_001)],
    ['lists that end', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects', '{"a":'.repeat(1_001)],
    ['lists that hold long integers', `${'['.repeat(5_000)}12345678901234567890${']'.repeat(5_000)}`],
  ])('%s of JSON are refused (R196)', (_, text) => {
    const message = 'Document nesting depth (1001) exceeds the maximum allowed (1000)';
    expect(() => parseJson(text)).toThrow(message);
    expect(jsonProblem(text)?.message).toContain(message);
  });

  test('a thousand levels are read, and brackets within strings are none (R196)', () => {
    expect(sameJson(parseJson('['.repeat(1_000) + ']'.repeat(1_000)), parseJson('[]'))).toBe(false);
    expect(parseJson(JSON.stringify(['"[\\'.repeat(2_000), 1]))).toHaveLength(2);
  });
});

describe('an intrinsic function', () => {
  test.each([
    [2 ** 31 - 1, 7],
    [2 ** 31, 7],
    [2 ** 31 + 1, 7],
    [3_000_000_000, 7],
    [Number.MAX_SAFE_INTEGER, -1],
    [10, 1e300],
  ])('draws below %d with the seed %d, and the same number again (R196)', (end, seed) => {
    const drawn = () => compileIntrinsic(`States.MathRandom(0, ${end}, ${seed})`)(scope({}));
    expect(drawn()).toBe(drawn());
    expect(drawn()).toBeGreaterThanOrEqual(0);
    expect(drawn()).toBeLessThan(end);
  });

  test.each(['0, 1e300, 1', '0, 1e300', '-1e308, 1e308, 1', '-9007199254740991, 9007199254740991'])(
    'refuses to draw from %s (R196)',
    (range) => {
      expect(() => compileIntrinsic(`States.MathRandom(${range})`)(scope({}))).toThrow('the range is too large');
    },
  );
});

describe('JSONPath', () => {
  const many = { a: Array.from({ length: 20_000 }, (_, i) => i), b: Array.from({ length: 20_000 }, (_, i) => -i) };

  test.each<[string, Json]>([
    ['$..*..*..*', nested(900)],
    ['$.a[?(@ in $.b)]', many],
    ['$..[?(@.x == $..b..c)]', { a: Array.from({ length: 5_000 }, () => ({ x: 1 })) }],
  ])('%s fails instead of looking at everything again and again (R196)', (path, input) => {
    expect(() => compilePath(path).read(scope(input))).toThrow('look at too many values');
  });

  test('intrinsic functions refuse what others have made too large (R196)', () => {
    const big = { t: 'x'.repeat(250_000) };
    const five = Array(5).fill('$.t').join(', ');
    expect(() => compileIntrinsic(`States.Format('{}{}{}{}{}', ${five})`)(scope(big))).toThrow('longer than');
    expect(() => compileIntrinsic(`States.JsonToString(States.Array(${five}))`)(scope(big))).toThrow('longer than');
  });

  test('States.ArrayUnique keeps the first of each (R196)', () => {
    const list = [...Array(40_000).keys(), 3, 2, 1];
    const unique = compileIntrinsic('States.ArrayUnique($.list)');
    expect(unique(scope({ list }))).toHaveLength(40_000);
    expect(unique(scope({ list: [1, '1', 2, 1, { a: 1, b: 2 }, { b: 2, a: 1 }] }))).toEqual([
      1,
      '1',
      2,
      { a: 1, b: 2 },
    ]);
  });
});
