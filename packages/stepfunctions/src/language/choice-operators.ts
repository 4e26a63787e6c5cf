import { compareNumbers, isNumber, type Json } from './json';
import { parseTimestamp } from './timestamp';
import { matchesParts } from './wildcards';

/** Compares the variable's value with the rule's; values of another type never match. */
export type Comparison = (value: Json, expected: Json) => boolean;

const strings =
  (holds: (order: number) => boolean): Comparison =>
  (value, expected) =>
    typeof value === 'string' &&
    typeof expected === 'string' &&
    holds(value < expected ? -1 : value > expected ? 1 : 0);

const numbers =
  (holds: (order: number) => boolean): Comparison =>
  (value, expected) =>
    isNumber(value) && isNumber(expected) && holds(compareNumbers(value, expected));

const timestamps =
  (holds: (order: number) => boolean): Comparison =>
  (value, expected) => {
    if (typeof value !== 'string' || typeof expected !== 'string') return false;
    const [a, b] = [parseTimestamp(value), parseTimestamp(expected)];
    return a !== undefined && b !== undefined && holds(a - b);
  };

const booleans: Comparison = (value, expected) => typeof value === 'boolean' && value === expected;

const is =
  (test: (value: Json) => boolean): Comparison =>
  (value, expected) =>
    test(value) === expected;

const equal = (order: number) => order === 0;
const less = (order: number) => order < 0;
const greater = (order: number) => order > 0;
const lessOrEqual = (order: number) => order <= 0;
const greaterOrEqual = (order: number) => order >= 0;

/** Section "Data-test expression": `*` stands for any text, `\*` for a star, `\\` for a backslash. */
const matches: Comparison = (value, expected) => {
  if (typeof value !== 'string' || typeof expected !== 'string') return false;
  return matchesParts(value, partsOf(expected));
};

function partsOf(pattern: string): string[] {
  const parts = [''];
  for (const [sign, escaped] of pattern.matchAll(/\\([*\\])|[\s\S]/g)) {
    if (sign === '*') parts.push('');
    else parts[parts.length - 1] += escaped ?? sign;
  }
  return parts;
}

/** The required type of an operator's expected value. */
export type OperandType = 'string' | 'number' | 'boolean' | 'timestamp';

export interface ChoiceOperator {
  compare: Comparison;
  operand: OperandType;
  /** Has a form `<name>Path`, which takes the expected value from the input. */
  path: boolean;
}

const string = (compare: Comparison): ChoiceOperator => ({ compare, operand: 'string', path: true });
const number = (compare: Comparison): ChoiceOperator => ({ compare, operand: 'number', path: true });
const timestamp = (compare: Comparison): ChoiceOperator => ({ compare, operand: 'timestamp', path: true });
const test = (check: (value: Json) => boolean): ChoiceOperator => ({
  compare: is(check),
  operand: 'boolean',
  path: false,
});

/** Every comparison operator of the Choice state. `IsPresent` alone also works on a path that leads nowhere. */
export const choiceOperators: Record<string, ChoiceOperator> = {
  StringEquals: string(strings(equal)),
  StringLessThan: string(strings(less)),
  StringGreaterThan: string(strings(greater)),
  StringLessThanEquals: string(strings(lessOrEqual)),
  StringGreaterThanEquals: string(strings(greaterOrEqual)),
  StringMatches: { compare: matches, operand: 'string', path: false },
  NumericEquals: number(numbers(equal)),
  NumericLessThan: number(numbers(less)),
  NumericGreaterThan: number(numbers(greater)),
  NumericLessThanEquals: number(numbers(lessOrEqual)),
  NumericGreaterThanEquals: number(numbers(greaterOrEqual)),
  BooleanEquals: { compare: booleans, operand: 'boolean', path: true },
  TimestampEquals: timestamp(timestamps(equal)),
  TimestampLessThan: timestamp(timestamps(less)),
  TimestampGreaterThan: timestamp(timestamps(greater)),
  TimestampLessThanEquals: timestamp(timestamps(lessOrEqual)),
  TimestampGreaterThanEquals: timestamp(timestamps(greaterOrEqual)),
  IsNull: test((value) => value === null),
  IsPresent: test(() => true),
  IsNumeric: test(isNumber),
  IsString: test((value) => typeof value === 'string'),
  IsBoolean: test((value) => typeof value === 'boolean'),
  IsTimestamp: test((value) => typeof value === 'string' && parseTimestamp(value) !== undefined),
};

export const isOperator = (name: string): boolean => Object.hasOwn(choiceOperators, name);
