import type { Fact } from '../../core/people/telemetry/facts';
import { log } from '../../runtime/log';
import type { tellTelemetry } from '../ask-telemetry';
import { portionsOf } from './portions';

/** A fact, and the sequence number of its change in the stream. */
export interface NewFact {
  sequenceNumber: string;
  fact: Fact;
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
export async function beginTelemetry(
  tell: NonNullable<ReturnType<typeof tellTelemetry>>,
  facts: readonly NewFact[],
): Promise<string[]> {
  const untold = await Promise.all(
    portionsOf(facts, bytesOf, { bytes: bytesAtOnce }).map((portion) => tellPortion(tell, portion)),
  );
  return untold.flat();
}

async function tellPortion(
  tell: NonNullable<ReturnType<typeof tellTelemetry>>,
  facts: readonly NewFact[],
): Promise<string[]> {
  try {
    await tell(facts.map(({ fact }) => fact));
    return [];
  } catch (error) {
    const { name } = error as Error;
    log.error('no spans were made', { facts: facts.length, error: name });
    return forGood.has(name) ? [] : facts.map(({ sequenceNumber }) => sequenceNumber);
  }
}

const bytesOf = ({ fact }: NewFact): number => Buffer.byteLength(JSON.stringify(fact));
