import { run } from '../../test/single-state-fixture';
import { identity } from '../interpreter/histories-fixture';
import type { Json, JsonObject } from '../language/json';
import { formatTimestamp } from '../language/timestamp';

const wait = (fields: JsonObject, t: Json = null) => run({ W: { Type: 'Wait', End: true, ...fields } }, { t });
const inSeconds = (seconds: number) => formatTimestamp(identity.startTime + seconds * 1000);

test.each<[string, Json]>([
  ['a number', 60],
  ['a number that is given as text', '60'],
])('SecondsPath waits for %s', async (_what, t) => {
  const { waiting } = await wait({ SecondsPath: '$.t' }, t);
  expect(waiting).toEqual({ kind: 'until', at: identity.startTime + 60_000 });
});

test.each<[string, Json]>([
  ['cannot be parsed as a long value: $.t == 1.5', 1.5],
  ['cannot be parsed as a long value: $.t == true', true],
  ['cannot be parsed as a long value: $.t == null', null],
  ['references a negative value: $.t == -1', -1],
  ['references a value greater than 99999999: $.t == 100000000', 100_000_000],
])('SecondsPath %s', async (problem, t) => {
  const { outcome } = await wait({ SecondsPath: '$.t' }, t);
  expect(outcome).toMatchObject({ error: 'States.Runtime', cause: expect.stringContaining(problem) });
});

test.each([
  '2016-03-14T01:59Z',
  '2016-03-14t01:59:00z',
  '2016-03-14T01:59:00.+01:00',
  '2016-03-14T01:59:00.123456789Z',
])('TimestampPath takes %s', async (t) => {
  expect((await wait({ TimestampPath: '$.t' }, t)).outcome).toMatchObject({ status: 'SUCCEEDED' });
});

test.each(['2016-03-14T24:00:00Z', '2016-02-30T00:00:00Z', '2016-03-14T01:59:00', '2016-03-14T01:59:00+19:00', ''])(
  'TimestampPath does not take %j',
  async (t) => {
    const { outcome } = await wait({ TimestampPath: '$.t' }, t);
    expect(outcome).toMatchObject({ error: 'States.Runtime', cause: expect.stringContaining('does not reference') });
  },
);

test('SecondsPath leads somewhere', async () => {
  const { outcome } = await wait({ SecondsPath: '$.none' });
  expect(outcome!.cause).toContain('The SecondsPath parameter does not reference an input value: $.none');
});

test('a Wait state waits for less than 2^31 seconds', async () => {
  expect((await wait({ TimestampPath: '$.t' }, inSeconds(24_855 * 86_400))).waiting?.kind).toBe('until');
  const { outcome } = await wait({ TimestampPath: '$.t' }, inSeconds(24_856 * 86_400));
  expect(outcome?.error).toBe('States.Runtime');
});

test.each([
  ['Seconds', '-1', 'The Seconds parameter references a negative value: -1 == -1'],
  ['Seconds', '1.5', 'The Seconds parameter cannot be parsed as a long value: 1.5 == 1.5'],
  ['Seconds', '"1"', "Expected 'number', but was 'string'"],
  ['Timestamp', '$states.input.t', "Expected 'string', but was 'null'"],
  [
    'Timestamp',
    '"soon"',
    'The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: soon',
  ],
])('in JSONata, %s does not take %s', async (field, expression, problem) => {
  const { outcome } = await wait({ QueryLanguage: 'JSONata', [field]: `{% ${expression} %}` });
  expect(outcome).toMatchObject({ error: 'States.QueryEvaluationError', cause: expect.stringContaining(problem) });
});
