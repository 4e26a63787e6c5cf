import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { Fact } from '../core/people/telemetry/facts';
import { optionalVariable } from '../runtime/environment';

/** What Telemetry is told: what has finished, in the order of the commits. */
export const TelemetryRequest = z.object({ facts: z.array(Fact) });

/** Tells Telemetry of finished work. It is not waited for. Undefined if this deployment exports no traces. */
export function tellTelemetry(client: LambdaClient): ((facts: readonly Fact[]) => Promise<void>) | undefined {
  const FunctionName = optionalVariable('TELEMETRY_ARN');
  if (!FunctionName) return undefined;
  return async (facts) => {
    const Payload = JSON.stringify({ facts });
    await client.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
  };
}
