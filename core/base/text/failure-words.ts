import { clip } from './clip';
import * as errors from './errors';

const ownNames = new Set<string>(Object.keys(errors));

/** Whether an error is in the closed list, whose messages are written for people. */
export const isOwnError = ({ name }: { name?: unknown }): boolean => typeof name === 'string' && ownNames.has(name);

/** Whether an error comes from an SDK, a driver or the system. */
export const isForeign = (error: unknown): boolean => kindOfForeign(error) !== undefined;

/**
 * Returns the text for a call's row, which its owner and the model read. Messages of Vigil and of the tool's author are kept.
 * Messages of an SDK, a driver or the system may contain accounts, hosts and keys, so only the kind of error is given; the function's
 * log says more.
 */
export function failureWords(error: Error): string {
  const kind = isOwnError(error) ? undefined : kindOfForeign(error);
  return kind === undefined ? clip(error.message, { characters: 2_000 }) : `The attempt failed: ${kind}.`;
}

/** Such errors, or their causes, have a code or the metadata of a service's response. */
function kindOfForeign(error: unknown, causes = 0): string | undefined {
  // An error can be its own cause.
  if (!(error instanceof Error) || causes > 10) return undefined;
  const { code, $metadata } = error as { code?: unknown; $metadata?: unknown };
  if (typeof code === 'string' && /^\w{1,80}$/.test(code)) return code;
  if (typeof code === 'string' || $metadata !== undefined) return error.name;
  return kindOfForeign(error.cause, causes + 1);
}
