import { InvalidInput } from './errors';

/** No form of a person and no webhook comes near it. */
const maxLevels = 100;

/**
 * Refuses JSON from outside that lies deeper than anybody means: it is parsed without trouble, but what goes through it
 * later (to compare, to write it down again) goes from level to level and runs out of stack, at a few thousand of them.
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
