import * as errors from './errors';

const ownNames = new Set<string>(Object.keys(errors));

/** Whether it is of the closed list, whose messages are written for people. */
export const isOwnError = ({ name }: { name?: unknown }): boolean => typeof name === 'string' && ownNames.has(name);

/** Whether an SDK, a driver or the system made it. */
export const isForeign = (error: unknown): boolean => kindOfForeign(error) !== undefined;

/**
 * What a call's row says of an error: its owner and the model read it. Words are those of Vigil or of the tool's author. What an SDK, a
 * driver or the system says may name accounts, hosts and keys; of that only the kind is told, and the function's log says more.
 */
export function failureWords(error: Error): string {
  const kind = isOwnError(error) ? undefined : kindOfForeign(error);
  return kind === undefined ? error.message.slice(0, 2_000) : `The attempt failed: ${kind}.`;
}

/** Such errors carry a code, or what the service answered, in themselves or in what caused them. */
function kindOfForeign(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, $metadata } = error as { code?: unknown; $metadata?: unknown };
  if (typeof code === 'string' && /^\w{1,80}$/.test(code)) return code;
  if (typeof code === 'string' || $metadata !== undefined) return error.name;
  return kindOfForeign(error.cause);
}
