/**
 * The conditions of policy statements, as tables of operators and keys. A condition that is not in the tables stops the
 * start, because it would not be enforced.
 */
export type Conditions = Readonly<
  Record<string, Readonly<Record<string, string | boolean | readonly (string | boolean)[]>>>
>;

/** The facts about a request, by condition key. */
export type ConditionContext = Readonly<Record<string, string>>;

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

const keys = [
  'aws:PrincipalAccount',
  'aws:PrincipalArn',
  'aws:RequestedRegion',
  'aws:ResourceAccount',
  'aws:SecureTransport',
  'bedrock:InferenceProfileArn',
];

export function assertConditions(conditions: Conditions, where: string): void {
  for (const [name, tests] of Object.entries(conditions)) {
    const operator = name.replace(/IfExists$/, '');
    if (!Object.hasOwn(operators, operator) && !Object.hasOwn(negated, operator)) {
      throw new Error(`The local cloud does not support the policy condition ${name} (${where}).`);
    }
    const key = Object.keys(tests).find((one) => !keys.includes(one));
    if (key) throw new Error(`The local cloud does not support the condition key ${key} (${where}).`);
  }
}

export function conditionsHold(conditions: Conditions, context: ConditionContext): boolean {
  return Object.entries(conditions).every(([name, tests]) => {
    const operator = name.replace(/IfExists$/, '');
    const positive = operators[operator];
    const compare = positive ?? negated[operator];
    return Object.entries(tests).every(([key, values]) => {
      const actual = context[key];
      if (actual === undefined) return !positive || name.endsWith('IfExists');
      const some = [values].flat().some((wanted) => compare?.(actual, String(wanted)));
      return positive ? some : !some;
    });
  });
}

/** `*` matches any text, `?` any single character. */
export function matchesPattern(text: string, pattern: string): boolean {
  if (pattern === '*' || pattern === text) return true;
  if (!/[*?]/.test(pattern)) return false;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
