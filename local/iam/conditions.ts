/**
 * The conditions of policy statements, as tables of operators and keys. A condition that is not in the tables stops the
 * start, because it would not be enforced.
 */
import { matchesParts } from 'vigil-stepfunctions/shared';

export type Conditions = Readonly<
  Record<string, Readonly<Record<string, string | boolean | readonly (string | boolean)[]>>>
>;

/** The facts about a request, by condition key. A key without a value is absent. */
export type ConditionContext = Readonly<Record<string, string | readonly string[]>>;

type Operator = (actual: string, wanted: string) => boolean;

const operators: Readonly<Record<string, Operator>> = {
  ArnEquals: matchesPattern,
  ArnLike: matchesPattern,
  Bool: (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase(),
  StringEquals: (actual, wanted) => actual === wanted,
  StringEqualsIgnoreCase: (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase(),
  StringLike: matchesPattern,
};

/** Operators that hold if no value matches. */
const negated: Readonly<Record<string, Operator>> = {
  ArnNotEquals: matchesPattern,
  ArnNotLike: matchesPattern,
  StringNotEquals: (actual, wanted) => actual === wanted,
  StringNotLike: matchesPattern,
};

/** Keys with several values. They need an operator for sets. */
const setKeys = ['dynamodb:LeadingKeys'];
const keys = [
  'aws:PrincipalAccount',
  'aws:PrincipalArn',
  'aws:RequestedRegion',
  'aws:ResourceAccount',
  'aws:SecureTransport',
  'bedrock:InferenceProfileArn',
  ...setKeys,
];

/** The parts of a name such as `ForAllValues:StringLikeIfExists`. */
function operatorIn(name: string): { set?: string; operator: string; ifExists: boolean } {
  const [, set, operator = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/.exec(name) ?? [];
  return { set, operator, ifExists: ifExists !== undefined };
}

export function assertConditions(conditions: Conditions, where: string): void {
  for (const [name, tests] of Object.entries(conditions)) {
    const { set, operator } = operatorIn(name);
    if (name !== 'Null' && !Object.hasOwn(operators, operator) && !Object.hasOwn(negated, operator)) {
      throw new Error(`The local cloud does not support the policy condition ${name} (${where}).`);
    }
    const key = Object.keys(tests).find((one) => !keys.includes(one));
    if (key) throw new Error(`The local cloud does not support the condition key ${key} (${where}).`);
    const bare = name !== 'Null' && !set && Object.keys(tests).find((one) => setKeys.includes(one));
    if (bare) throw new Error(`The condition key ${bare} needs ForAllValues or ForAnyValue (${where}).`);
  }
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html */
export function conditionsHold(conditions: Conditions, context: ConditionContext): boolean {
  return Object.entries(conditions).every(([name, tests]) =>
    Object.entries(tests).every(([key, values]) => {
      const actual = [context[key] ?? []].flat();
      return holds(name, actual, [values].flat().map(String));
    }),
  );
}

function holds(name: string, actual: readonly string[], wanted: readonly string[]): boolean {
  if (name === 'Null') return wanted.includes(String(actual.length === 0));
  const { set, operator, ifExists } = operatorIn(name);
  const positive = operators[operator];
  const compare = positive ?? negated[operator];
  const fits = (value: string) => wanted.some((one) => compare?.(value, one)) === (positive !== undefined);
  if (set === 'ForAllValues') return actual.every(fits);
  if (set === 'ForAnyValue') return actual.some(fits);
  return actual.length === 0 ? !positive || ifExists : actual.every(fits);
}

/** `*` matches any text, `?` any single character. */
export function matchesPattern(text: string, pattern: string): boolean {
  if (pattern === '*' || pattern === text) return true;
  if (!/[*?]/.test(pattern)) return false;
  return matchesParts(text, pattern.split('*'), '?');
}
