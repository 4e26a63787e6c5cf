import { EngineFixture, functionArn, machine } from '../../test/engine-fixture';
import { compareNumbers, jsonText, longerThan, parseJson, sameJson } from './json';

const large = '9007199254740993';
const larger = '123456789012345678901234567890';
/** Each of these is its own JSON text. */
const texts = [
  `{"id":${large},"list":[-${large},${larger},1.5,0,-1],"text":"${large}, 1e999"}`,
  `[${large}]`,
  '{"uuid":"0f9e123a-1e400","n":1e+30}',
];

describe('JSON', () => {
  test.each(texts)('%s keeps its digits (R192)', (text) => {
    expect(jsonText(parseJson(text))).toBe(text);
  });

  test.each(['1E400', '[-1e999]', `{"a":1${'0'.repeat(400)}.5}`, '[1, 2E+0400]'])(
    'with %.20s is refused by name (R192)',
    (text) => {
      expect(() => parseJson(text)).toThrow(/^Number out of range: /);
    },
  );

  test('reads names that occur twice, and odd ones, as before (R192)', () => {
    expect(parseJson(`{"a":${large},"a":1}`)).toEqual({ a: 1 });
    expect(Object.keys(parseJson(`{"__proto__":${large}}`) as object)).toEqual(['__proto__']);
  });

  test('compares integers of any size (R192)', () => {
    const [a, b] = [parseJson(large), parseJson('9007199254740992')] as [bigint, number];
    expect([compareNumbers(a, b), compareNumbers(b, a), compareNumbers(a, a)]).toEqual([1, -1, 0]);
    expect(sameJson(parseJson('[100000000000000000000]'), parseJson('[1e20]'))).toBe(true);
    expect(longerThan(parseJson(`[${larger}]`), 20)).toBe(true);
  });
});

describe('an integer beyond 2^53', () => {
  const fixture = new EngineFixture();
  const { call, create, begin, ended, restart } = fixture;
  const run = async (states: object, input: string) => {
    const arn = await begin(await create(`m${Math.random()}`.replace('.', ''), machine(states)), 'e', input);
    await ended(arn);
    const { status, output, cause } = await call('DescribeExecution', { executionArn: arn });
    return { arn, status, output, cause };
  };
  const input = texts[0]!;

  test('passes through states, functions, choices, the journal and the history (R192)', async () => {
    const states = {
      Pass: { Type: 'Pass', Assign: { 'id.$': '$.id' }, Next: 'Task' },
      Task: { Type: 'Task', Resource: functionArn('echo'), ResultPath: '$.echo', Next: 'Choice' },
      Choice: {
        Type: 'Choice',
        Choices: [{ Variable: '$.echo.id', NumericGreaterThan: 9007199254740992, Next: 'Jsonata' }],
        Default: 'Wrong',
      },
      Wrong: { Type: 'Fail' },
      Jsonata: {
        Type: 'Pass',
        QueryLanguage: 'JSONata',
        Output: {
          id: '{% $states.input.echo.id %}',
          same: '{% $states.input.id = $id %}',
          all: '{% $states.input.list %}',
        },
        Next: 'Made',
      },
      Made: {
        Type: 'Pass',
        Parameters: {
          'sum.$': 'States.MathAdd($.id, 2)',
          'text.$': "States.Format('{} {}', $.id, $.all)",
          'json.$': 'States.StringToJson(States.JsonToString($))',
        },
        End: true,
      },
    };
    const { arn, status, output } = await run(states, input);
    const all = `[-${large},${larger},1.5,0,-1]`;
    expect([status, output]).toEqual([
      'SUCCEEDED',
      `{"sum":9007199254740995,"text":"${large} ${all.replaceAll(',', ', ')}","json":{"id":${large},"same":true,"all":${all}}}`,
    ]);
    await restart();
    const { events } = (await call('GetExecutionHistory', { executionArn: arn })) as unknown as { events: object[] };
    expect(JSON.stringify(events)).toContain(
      JSON.stringify(`{"payload":0,${input.slice(1)}`.replace('"payload":0,', '')).slice(1, -1),
    );
    expect((await call('DescribeExecution', { executionArn: arn })).output).toBe(output);
  });

  test('in a definition is what it says (R192)', async () => {
    const { output } = await run({ Pass: { Type: 'Pass', Result: 0, End: true } }, '{}');
    expect(output).toBe('0');
    const arn = await create(
      'literal',
      `{"StartAt":"P","States":{"P":{"Type":"Pass","Result":{"id":${large}},"End":true}}}`,
    );
    const executionArn = await begin(arn, 'e');
    await ended(executionArn);
    expect((await call('DescribeExecution', { executionArn })).output).toBe(`{"id":${large}}`);
  });

  test('is refused by name where JSONata would count with it (R192)', async () => {
    const states = {
      Pass: { Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% $string($states.input) %}', End: true },
    };
    const { cause } = await run(states, input);
    expect(cause).toContain(`The integer ${large} has more digits than a number of JSONata`);
  });

  test('is no number where it is out of range: not as input, output or result (R192)', async () => {
    const arn = await create('any', machine({ Pass: { Type: 'Pass', End: true } }));
    await expect(begin(arn, 'e', '{"n":1E400}')).rejects.toThrow('Number out of range: 1E400');
    fixture.answer = () => '{"n":1E400}';
    const { status, cause } = await run({ Task: { Type: 'Task', Resource: functionArn('f'), End: true } }, '{}');
    expect([status, cause]).toEqual(['FAILED', "The function's result cannot be read: Number out of range: 1E400"]);
    const parsed = { Pass: { Type: 'Pass', Parameters: { 'n.$': 'States.StringToJson($.t)' }, End: true } };
    expect((await run(parsed, '{"t":"1E400"}')).status).toBe('FAILED');
    const sum = { Pass: { Type: 'Pass', Parameters: { 'n.$': 'States.MathAdd($.n, $.n)' }, End: true } };
    expect((await run(sum, '{"n":1e308}')).status).toBe('FAILED');
  });
});
