import type { JsonSchema } from './model-schema';

/** z.int() has these limits, which need no words. */
const unlimited = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** A time with an offset, which z.iso.datetime() refuses unless it is told otherwise. */
const withOffset = '2030-01-01T09:00:00+02:00';

/**
 * Returns the limits of a JSON schema in words: those that some servers reject in strict schemas. The tool's own schema still checks
 * them, and the model reads the problem.
 */
export function limitWords(schema: JsonSchema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, also = [] } = schema;
  const { exclusiveMinimum, exclusiveMaximum, multipleOf, pattern, format, uniqueItems, prefixItems, examples } =
    schema;
  const [least, most] = [minimum, maximum].map((limit) => (unlimited.includes(limit) ? undefined : limit));
  return [
    rangeWords(minLength, maxLength, 'character'),
    prefixItems ? undefined : rangeWords(minItems, maxItems, 'item'),
    rangeWords(least, most),
    exclusiveMinimum !== undefined && `more than ${exclusiveMinimum}`,
    exclusiveMaximum !== undefined && `less than ${exclusiveMaximum}`,
    ...[multipleOf, ...also.map((one: JsonSchema) => one.multipleOf)].map((one) => one && `a multiple of ${one}`),
    uniqueItems && 'without duplicates',
    ...formatWords(format, pattern),
    examples?.length && `for example ${JSON.stringify(examples[0])}`,
    ...also.map((one: JsonSchema) => one.pattern && `matches /${one.pattern}/`),
  ].filter((words): words is string => Boolean(words));
}

function rangeWords(least?: number, most?: number, what?: string): string | undefined {
  const named = (count: number) => (what ? `${count} ${what}${count === 1 ? '' : 's'}` : `${count}`);
  if (least !== undefined && most !== undefined)
    return least === most ? `exactly ${named(most)}` : `${what ? '' : 'from '}${least} to ${named(most)}`;
  if (least !== undefined) return least === 0 && what ? undefined : `at least ${named(least)}`;
  return most === undefined ? undefined : `at most ${named(most)}`;
}

function formatWords(format?: string, pattern?: string): (string | undefined)[] {
  if (format === 'date-time')
    return [pattern && !new RegExp(pattern).test(withOffset) ? 'in UTC, ending in Z' : undefined];
  if (format === 'date' || format === 'time') return [];
  if (format) return [`format: ${format}`];
  return [pattern && `matches /${pattern}/`];
}
