import type { SettingOfModule } from '../../infra/settings-table';

export const settings: SettingOfModule[] = [
  {
    variable: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    option: 'telemetry.endpoint',
    sets: 'the backend of [traces](telemetry.md), which takes OTLP over HTTP',
    byDefault: 'no traces',
  },
  {
    variable: 'OTEL_EXPORTER_OTLP_HEADERS',
    sets: 'its headers: `name=value` pairs, with values in percent-encoding, separated by commas',
    byDefault: 'none; on AWS a secret',
  },
  {
    variable: 'VIGIL_TRACES',
    option: 'telemetry.scope',
    sets: '`run`, `conversation` or `segment`: [what one trace has](telemetry.md#what-one-trace-has)',
    byDefault: '`run`',
  },
  {
    variable: 'VIGIL_TELEMETRY_CONTENT',
    option: 'telemetry.content',
    sets: '`true`: spans contain messages, arguments and results, [redacted](telemetry.md#content)',
    byDefault: 'ids and figures only',
  },
];
