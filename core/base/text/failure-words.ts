import { clip } from './clip';
import * as errors from './errors';

const ownNames = new Set<string>(Object.keys(errors));

/** Whether an error is in the closed list, whose messages are written for people. */
export const isOwnError = ({ name }: { name?: unknown }): boolean => typeof name === 'string' && ownNames.has(name);

/** Whether an error comes from an SDK, a driver or the system. */
export const isForeign = (error: unknown): boolean =>
  !isOwnError((error ?? {}) as Error) && kindOfForeign(error) !== undefined;

/**
 * Returns the text for a call's row, which its owner and the model read, and for the API. Only errors of the closed list are written for
 * them: all others may contain accounts, hosts and keys, so only the name is told. The function's log says more.
 */
export const failureWords = (error: Error): string => ownWords(error) ?? `The attempt failed: ${failureName(error)}.`;

/** As `failureWords`, for the log of the function: with the words of the code's author, and of the JavaScript engine. */
export const loggedWords = (error: Error): string =>
  isForeign(error) ? failureWords(error) : clip(error.message, { characters: 2_000 });

/** Returns the words of an error that is written for people, or the name of another one. */
export const failureIn = (error: Error): string => ownWords(error) ?? failureName(error);

/** What an execution's history and a run's reason say of an error that is not written for people. */
export const platformWords = (name: string): string =>
  `The platform failed (${clip(name, { characters: 80 })}); the function's log says more.`;

const ownWords = (error: Error): string | undefined =>
  isOwnError(error) && kindOf(error) === undefined ? clip(error.message, { characters: 2_000 }) : undefined;

const failureName = (error: Error): string => kindOfForeign(error) ?? nameIn(error);

/** A name that cannot contain a sentence. */
const nameIn = ({ name }: Error): string => (/^[A-Za-z_$][\w.$]{0,79}$/.test(name) ? name : 'Error');

/** Such errors, or their causes, have a code or the metadata of a service's response. */
function kindOfForeign(error: unknown, causes = 0): string | undefined {
  // An error can be its own cause.
  if (!(error instanceof Error) || causes > 10) return undefined;
  return kindOf(error) ?? kindOfForeign(error.cause, causes + 1);
}

function kindOf(error: Error): string | undefined {
  const { code, $metadata } = error as { code?: unknown; $metadata?: unknown };
  if (typeof code === 'string' && /^\w{1,80}$/.test(code)) return code;
  return typeof code === 'string' || $metadata !== undefined ? nameIn(error) : undefined;
}
