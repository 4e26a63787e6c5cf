import { InvalidInput } from './errors';

/** Far more than people and webhooks send. */
const maxLevels = 100;

/**
 * Rejects deeply nested JSON from outside. Parsing it succeeds, but later recursive operations (comparing, serializing) would overflow
 * the stack at a few thousand levels.
 *
 * @throws InvalidInput naming `path`.
 */
export function assertShallow(path: string, value: unknown): void {
  let level = [value].filter(isNested);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxLevels) throw new InvalidInput(path, `may not be nested deeper than ${maxLevels} levels`);
    level = level.flatMap((one) => Object.values(one).filter(isNested));
  }
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
