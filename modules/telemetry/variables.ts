import { TraceScope } from '../../core/base/state/trace';
import { ConfigurationError } from '../../core/base/text/errors';
import type { VigilModule } from '../../infra/module';
import { httpAddress } from '../../infra/settings-table';
import { telemetry } from './construct';

/** As environment variables set it, whose names errors have; none without a backend. @throws ConfigurationError */
export function telemetryFrom(env: Readonly<Record<string, string | undefined>>): VigilModule[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, VIGIL_TRACES: given } = env;
  if (!endpoint) return [];
  httpAddress(endpoint, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const { data: scope } = TraceScope.safeParse(given || 'run');
  if (!scope)
    throw new ConfigurationError(`VIGIL_TRACES is "${given}": it must be "run", "conversation" or "segment".`);
  return [telemetry({ endpoint, scope, content: env.VIGIL_TELEMETRY_CONTENT === 'true' })];
}
