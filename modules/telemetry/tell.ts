import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { Heard } from '../../core/module';
import { portionsOf } from '../../lambdas/live/portions';
import { optionalVariable } from '../../runtime/environment';
import { log } from '../../runtime/log';
import { Fact } from './facts';

/** What Telemetry is told: what has finished, in the order of the commits. */
export const TelemetryRequest = z.object({ facts: z.array(Fact) });

type Tell = (facts: readonly Fact[]) => Promise<void>;

/** Tells Telemetry of finished work. It is not waited for. Undefined if this deployment exports no traces. */
export function tellTelemetry(client: LambdaClient): Tell | undefined {
  const FunctionName = optionalVariable('TELEMETRY_ARN');
  if (!FunctionName) return undefined;
  return async (facts) => {
    const Payload = JSON.stringify({ facts });
    await client.send(new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload }));
  };
}

/** Errors that a retry cannot fix. Retrying would block all later changes, pages included. */
const forGood = new Set([
  'AccessDeniedException',
  'ResourceNotFoundException',
  'InvalidParameterValueException',
  'RequestTooLargeException',
]);

/** Far below Lambda's limit of an event. */
const bytesAtOnce = 150_000;

/**
 * Tells Telemetry of what a batch of changes has finished.
 *
 * @returns the sequence numbers of the changes of which it was not told, which the stream must deliver again.
 */
export async function beginTelemetry(tell: Tell, facts: readonly Heard<{ fact: Fact }>[]): Promise<string[]> {
  const untold = await Promise.all(
    portionsOf(facts, bytesOf, { bytes: bytesAtOnce }).map((portion) => tellPortion(tell, portion)),
  );
  return untold.flat();
}

async function tellPortion(tell: Tell, facts: readonly Heard<{ fact: Fact }>[]): Promise<string[]> {
  try {
    await tell(facts.map(({ fact }) => fact));
    return [];
  } catch (error) {
    const { name } = error as Error;
    log.error('no spans were made', { facts: facts.length, error: name });
    return forGood.has(name) ? [] : facts.map(({ sequenceNumber }) => sequenceNumber);
  }
}

const bytesOf = ({ fact }: { fact: Fact }): number => Buffer.byteLength(JSON.stringify(fact));
