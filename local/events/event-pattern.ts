/**
 * Event patterns, as in EventBridge and in the filters of event source mappings, with their operators as a table.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
import { matchesParts } from 'vigil-stepfunctions/shared';

export type Pattern = Readonly<Record<string, unknown>>;

type Matcher = (actual: unknown, operand: unknown) => boolean;

const text = (value: unknown): value is string => typeof value === 'string';

const matchers: Readonly<Record<string, Matcher>> = {
  'anything-but': (actual, operand) => actual !== undefined && !leaf([operand].flat(), actual),
  'equals-ignore-case': (actual, operand) => text(actual) && actual.toLowerCase() === String(operand).toLowerCase(),
  exists: (actual, operand) => (actual !== undefined && !isObject(actual)) === operand,
  numeric: (actual, operand) =>
    typeof actual === 'number' && comparisons(operand).every(([compare, limit]) => compare(actual, limit)),
  prefix: (actual, operand) => text(actual) && startsWith(actual, operand),
  suffix: (actual, operand) =>
    text(actual) && startsWith(reverse(actual), isObject(operand) ? mapText(operand) : reverse(String(operand))),
  wildcard: (actual, operand) => text(actual) && matchesParts(actual, String(operand).split('*')),
};

const numericOperators: Readonly<Record<string, (actual: number, limit: number) => boolean>> = {
  '=': (actual, limit) => actual === limit,
  '<': (actual, limit) => actual < limit,
  '<=': (actual, limit) => actual <= limit,
  '>': (actual, limit) => actual > limit,
  '>=': (actual, limit) => actual >= limit,
};

/**
 * @throws Error in one line for an operator that is not in the table.
 */
export function assertPattern(pattern: unknown, where: string): void {
  if (Array.isArray(pattern)) {
    for (const item of pattern.filter(isObject)) {
      const unknown = Object.keys(item).find((operator) => !Object.hasOwn(matchers, operator));
      if (unknown)
        throw new Error(`The local cloud does not support the event pattern operator ${unknown} (${where}).`);
    }
  } else if (isObject(pattern)) {
    for (const [key, inner] of Object.entries(pattern)) {
      for (const part of key === '$or' ? [inner].flat() : [inner]) assertPattern(part, where);
    }
  } else throw new Error(`An event pattern's value must be a list (${where}).`);
}

export function matchesEvent(pattern: Pattern, event: unknown): boolean {
  // A list of objects matches if one of its objects does.
  if (Array.isArray(event)) return event.some((one) => matchesEvent(pattern, one));
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === '$or') return (wanted as Pattern[]).some((one) => matchesEvent(one, event));
    const actual = isObject(event) && Object.hasOwn(event, key) ? event[key] : undefined;
    return Array.isArray(wanted) ? leaf(wanted, actual) : matchesEvent(wanted as Pattern, actual);
  });
}

function leaf(wanted: readonly unknown[], actual: unknown): boolean {
  const values = Array.isArray(actual) && actual.length ? actual : [actual];
  return wanted.some((item) => values.some((value) => (isObject(item) ? operatorsHold(item, value) : item === value)));
}

function operatorsHold(operators: Readonly<Record<string, unknown>>, actual: unknown): boolean {
  return Object.entries(operators).every(([operator, operand]) => matchers[operator]?.(actual, operand));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function startsWith(actual: string, operand: unknown): boolean {
  if (!isObject(operand)) return actual.startsWith(String(operand));
  return actual.toLowerCase().startsWith(String(operand['equals-ignore-case']).toLowerCase());
}

function mapText(operand: Readonly<Record<string, unknown>>): object {
  return { 'equals-ignore-case': reverse(String(operand['equals-ignore-case'])) };
}

function reverse(value: string): string {
  return [...value].reverse().join('');
}

/** `[">", 0, "<=", 5]` */
function comparisons(operand: unknown): [(actual: number, limit: number) => boolean, number][] {
  const list = operand as unknown[];
  const pairs: [(actual: number, limit: number) => boolean, number][] = [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    pairs.push([numericOperators[String(list[index])] ?? (() => false), Number(list[index + 1])]);
  }
  return pairs;
}
