import { templateWith } from '../../test/support/clouds/template-with';
import { rights, type Template } from '../../test/support/template-rights';
import { type TelemetryProps, telemetry } from './construct';
import { telemetryFrom } from './variables';

const endpoint = 'https://o.example.com';

test.each<[string, object, string]>([
  [
    'a backend’s address',
    { endpoint: 'traces.example.com' },
    'telemetry.endpoint is "traces.example.com": it must be an http or https address.',
  ],
  ['the scope of a trace', { scope: 'day' }, 'scope: must be "run", "conversation" or "segment"'],
  ['a key in the open', { headers: { key: 'secret' } }, 'headers'],
])('a mistake in %s names the option (R154, R239)', (_, given, problem) => {
  expect(() => telemetry({ endpoint, ...given } as TelemetryProps)).toThrow(problem);
});

test('a variable of this repository’s app lists the module, or is refused by its name (R154, R239)', () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  expect(telemetryFrom(on).map(({ name }) => name)).toEqual(['telemetry']);
  expect(telemetryFrom({ VIGIL_TRACES: 'segment' })).toEqual([]);
  for (const [variables, problem] of [
    [{ ...on, VIGIL_TRACES: 'day' }, 'VIGIL_TRACES is "day": it must be "run", "conversation" or "segment".'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'x' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is "x": it must be an http or https address.'],
  ] as const)
    expect(() => telemetryFrom(variables)).toThrow(problem);
});

describe('with a backend (R239)', () => {
  let [without, plain, withContent]: Template[] = [];
  beforeAll(() => {
    [without, plain, withContent] = [[], [telemetry({ endpoint })], [telemetry({ endpoint, content: true })]].map(
      (all) => templateWith(all),
    );
  });
  const isOwn = (right: string) => !/^(logs|xray):/.test(right);

  test('Telemetry reads its key and records what it has sent; it reads conversations only if spans have their words', () => {
    const own = rights(plain!).Telemetry!;
    expect(own.filter(isOwn)).toEqual([
      ...['GetItem', 'PutItem'].map((action) => `dynamodb:${action} on LiveTable.Arn`),
      'secretsmanager:GetSecretValue on OtelExporterOtlpHeaders',
      expect.stringMatching(/^sqs:SendMessage on /),
    ]);
    expect(rights(withContent!).Telemetry!.filter((right) => !own.includes(right))).toEqual(
      ['GetItem', 'Query'].map((action) => `dynamodb:${action} on ConversationTable.Arn of C#*`),
    );
  });

  test('Broadcast alone invokes it, and no other function has more rights than without', () => {
    const before = rights(without!);
    expect(rights(plain!).Broadcast!.filter((right) => !before.Broadcast!.includes(right))).toEqual([
      'lambda:InvokeFunction on Telemetry.Arn',
    ]);
    for (const id of Object.keys(before).filter((one) => one !== 'Broadcast'))
      expect([id, rights(plain!)[id]]).toEqual([id, before[id]]);
  });

  test('without one there is nothing of it: no resource, and no variable of any function (R277)', () => {
    expect(JSON.stringify(without).match(/(?<!Put)Telemetry|VIGIL_TRACES|TELEMETRY_|\bOTEL_|Spans/g)).toBeNull();
    const others = Object.keys(plain!.Resources).filter((id) => !Object.hasOwn(without!.Resources, id));
    expect(others.map((id) => plain!.Resources[id]!.Type).sort()).toEqual([
      'AWS::CloudWatch::Alarm',
      'AWS::IAM::Role',
      'AWS::Lambda::EventInvokeConfig',
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
      'AWS::SecretsManager::Secret',
    ]);
  });
});
