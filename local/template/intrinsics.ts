/**
 * CloudFormation's intrinsic functions, as a table.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 */
export interface Scope {
  ref(logicalId: string): unknown;
  attribute(logicalId: string, name: string): unknown;
  condition(name: string): unknown;
}

/** `AWS::NoValue` removes the property that it is the value of. */
export const noValue = Symbol('AWS::NoValue');

type Resolve = (value: unknown) => unknown;
type Intrinsic = (argument: unknown, scope: Scope, resolve: Resolve) => unknown;

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, scope) => scope.ref(String(argument)),
  Condition: (argument, scope, resolve) => resolve(scope.condition(String(argument))),
  'Fn::GetAtt': (argument, scope) => {
    const [logicalId, ...name] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    return scope.attribute(logicalId ?? '', name.join('.'));
  },
  'Fn::Join': (argument, _scope, resolve) => {
    const [separator, parts] = list(argument);
    return list(resolve(parts)).map(String).join(String(separator));
  },
  'Fn::Split': (argument, _scope, resolve) => {
    const [separator, text] = list(argument);
    return String(resolve(text)).split(String(separator));
  },
  'Fn::Select': (argument, _scope, resolve) => {
    const [index, choices] = list(argument);
    return list(resolve(choices))[Number(resolve(index))];
  },
  'Fn::Sub': (argument, scope, resolve) => {
    const [text, values] = Array.isArray(argument) ? argument : [argument, {}];
    return String(text).replace(/\$\{(!?)([^}]+)\}/g, (_all, literal: string, name: string) => {
      if (literal) return '${' + name + '}';
      if (Object.hasOwn(values as object, name)) return String(resolve((values as Record<string, unknown>)[name]));
      return String(name.includes('.') ? resolve({ 'Fn::GetAtt': name }) : scope.ref(name));
    });
  },
  'Fn::If': (argument, scope, resolve) => {
    const [name, yes, no] = list(argument);
    return resolve(resolve(scope.condition(String(name))) ? yes : no);
  },
  'Fn::Equals': (argument, _scope, resolve) => {
    const [left, right] = list(argument).map(resolve);
    return left === right;
  },
  'Fn::Not': (argument, _scope, resolve) => !resolve(list(argument)[0]),
  'Fn::And': (argument, _scope, resolve) => list(argument).every((one) => resolve(one)),
  'Fn::Or': (argument, _scope, resolve) => list(argument).some((one) => resolve(one)),
};

/** Replaces every intrinsic function inside `value`. `where` names the resource in an error. */
export function resolveIntrinsics(value: unknown, scope: Scope, where: string): unknown {
  const resolve: Resolve = (inner) => resolveIntrinsics(inner, scope, where);
  if (typeof value === 'string' && value.includes('{{resolve:')) {
    throw new Error(`The local cloud does not support dynamic references ({{resolve:…}}) at ${where}.`);
  }
  if (Array.isArray(value)) return value.map(resolve).filter((one) => one !== noValue);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first && entries.length === 1) {
    const intrinsic = Object.hasOwn(intrinsics, first[0]) ? intrinsics[first[0]] : undefined;
    // `Condition` is an intrinsic function only if its argument is a name: IAM statements have a `Condition`, too.
    if (intrinsic && (first[0] !== 'Condition' || typeof first[1] === 'string'))
      return intrinsic(first[1], scope, resolve);
    if (first[0].startsWith('Fn::')) throw new Error(`The local cloud does not support ${first[0]} at ${where}.`);
  }
  const resolved = entries.map(([key, inner]) => [key, resolve(inner)] as const);
  return Object.fromEntries(resolved.filter(([, inner]) => inner !== noValue));
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Error(`The template has ${JSON.stringify(value)} where a list is expected.`);
  return value;
}
