import { type TelemetryProps, telemetry, telemetryFrom } from './construct';

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
