import fc from 'fast-check';
import { isWellFormed } from '../text/clip';
import { assertShallow, readClientJson, readModelJson, readOutsideJson, wellFormedJson } from './foreign-json';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const refused = (read: (text: string, whole: string) => unknown, text: string) => {
  try {
    return { taken: read(text, 'body') };
  } catch (error) {
    const { name, path, message } = error as Error & { path: string };
    expect(name).toBe('InvalidInput');
    return [path, message];
  }
};
const all = [readClientJson, readModelJson, readOutsideJson];
const unlikeNumber = (digits: string) => `${digits} has more digits than a number keeps: send it as text`;
const malformed = 'has half of a character (an unpaired surrogate) or U+0000: send well-formed Unicode without it';

describe('levels', () => {
  test('a hundred are taken, in lists as in objects (R192)', () => {
    for (const read of all) expect(refused(read, `{"a":${nested(99)},"b":1,"c":null}`)).toHaveProperty('taken');
    expect(() => assertShallow('body', JSON.parse(nested(100)))).not.toThrow();
  });

  test.each([101, 150_000])('%d are refused, and the field is named (R192)', (levels) => {
    const message = 'may not be nested deeper than 100 levels';
    for (const read of all.slice(0, 2)) {
      expect(refused(read, `{"text":"hi","metadata":{"a":${nested(levels)}}}`)).toEqual([
        'metadata.a.0.0.0.…',
        message,
      ]);
      expect(refused(read, `{"a":`.repeat(levels) + '1' + '}'.repeat(levels))).toEqual(['a.a.a.a.a.…', message]);
    }
    expect(refused(readOutsideJson, nested(levels))).toEqual(['body', message]);
  });
});

describe('numbers', () => {
  const changed = [
    '9007199254740993',
    '-9007199254740993',
    '0.1234567890123456789',
    '1e400',
    '-1E400',
    '1e-400',
    '12345678901234567890',
  ];
  const kept = [
    '9007199254740991',
    '9007199254740992',
    '1e21',
    '1E+2',
    '0.1',
    '-0',
    '0.30000000000000004',
    '0.10000000000000001',
    '5e-324',
    '1.50',
  ];

  test.each(changed)('%s is refused by its name, or kept as text if its sender cannot change it (R192)', (digits) => {
    const text = `{"note":"1e400 \\" 9007199254740993","list":[1,{"id": ${digits} }]}`;
    for (const read of [readClientJson, readModelJson])
      expect(refused(read, text)).toEqual(['list.1.id', unlikeNumber(digits)]);
    expect(refused(readClientJson, digits)).toEqual(['body', unlikeNumber(digits)]);
    expect(readOutsideJson(text, 'body')).toEqual({ note: '1e400 " 9007199254740993', list: [1, { id: digits }] });
  });

  test.each(kept)('%s is the number that it was (R192)', (digits) => {
    for (const read of all) expect(read(`[${digits}]`, 'body')).toEqual([Number(digits)]);
  });

  test('every number of JavaScript, in its own form or in 17 digits, is taken (R192)', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        for (const form of [JSON.stringify(number), number.toPrecision(17), number.toExponential()])
          expect(readClientJson(form, 'body')).toBe(Number(form));
      }),
    );
  });

  test('no integer changes: it is kept, refused, or has its digits as text (R192)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
        const outside = readOutsideJson(`{"id":${integer}}`, 'body') as { id: number | string };
        expect(BigInt(outside.id)).toBe(integer);
        expect(typeof outside.id === 'number').toBe('taken' in refused(readClientJson, `{"id":${integer}}`));
      }),
    );
  });
});

describe('texts', () => {
  test.each([
    ['a value', '{"text":"hi \\ud83d"}', 'text', malformed],
    ['a value of a list', '{"a":[{"b":["ok","\\uDE00"]}]}', 'a.0.b.1', malformed],
    ['a name', '{"a":{"\\ud83d":1}}', 'a.\ufffd', `its name ${malformed}`],
    ['NUL', '{"text":"\\u0000"}', 'text', malformed],
    ['a value without a field', '"\\ud83d"', 'body', malformed],
  ])('half a character is refused in %s; from a model or a system it is replaced (R191)', (_, text, path, message) => {
    expect(refused(readClientJson, text)).toEqual([path, message]);
    for (const read of [readModelJson, readOutsideJson])
      expect(JSON.stringify(read(text, 'body'))).toBe(text.replace(/\\u[\da-f]{4}/i, '\ufffd'));
  });

  test('a whole character and its escape are taken, and so is a backslash before a u (R191)', () => {
    const text = '{"a":"\\ud83d\\ude00 😀","b":"\\\\ud83d \\\\u0000","c":"\\u0007"}';
    for (const read of all) expect(read(text, 'body')).toEqual(JSON.parse(text));
  });

  test('whatever JSON is sent is refused, or well-formed and otherwise unchanged (R191)', () => {
    const units = fc.string({
      unit: fc.constantFrom('a', '\\', '"', '\ud83d', '\ude00', '\0', '1', 'u', 'd83d', '\n'),
    });
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), units, units, (value, text, name) => {
        const json = JSON.stringify([value, text, { [name]: text }]);
        const whole = isWellFormed(text) && isWellFormed(name) && isWellFormed(JSON.stringify(value));
        const repaired = readOutsideJson(json, 'body');
        if (whole) {
          expect(repaired).toEqual(JSON.parse(json));
          expect(readClientJson(json, 'body')).toEqual(JSON.parse(json));
        } else expect(refused(readClientJson, json)).not.toHaveProperty('taken');
        expect(wellFormedJson(repaired)).toBe(repaired);
        expect(Buffer.from(JSON.stringify(repaired)).toString()).not.toMatch(/(?<!\\)(\\\\)*\\u(d[89a-f]|0000)/);
      }),
    );
  });
});

test.each(['', '{', 'undefined', '[1,]', '{"a":NaN}'])('%j is no JSON', (text) => {
  for (const read of all) expect(refused(read, text)).toEqual(['body', 'is not valid JSON']);
});

test('fields named like the parts of an object are fields (R192)', () => {
  const text = '{"__proto__":{"a":9007199254740993},"constructor":1}';
  expect(JSON.stringify(readOutsideJson(text, 'body'))).toBe('{"__proto__":{"a":"9007199254740993"},"constructor":1}');
  expect(refused(readClientJson, text)).toEqual(['__proto__.a', unlikeNumber('9007199254740993')]);
});

test('a megabyte is read in a moment, whatever it consists of (R192)', () => {
  for (const text of [
    `"${'\\n'.repeat(500_000)}"`,
    `"${'"\\u0000'.repeat(0)}${'\\ud83d'.repeat(170_000)}"`,
    `[${'1.5e300,'.repeat(125_000)}1]`,
    `[1${'0'.repeat(1_000_000)}]`,
    `[0.${'0'.repeat(500_000)}1${'0'.repeat(500_000)}]`,
  ])
    for (const read of all) refused(read, text);
});
