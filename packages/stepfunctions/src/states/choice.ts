import { type RuleOutput, withInput } from '../execution/data-flow';
import type { State } from '../execution/state';
import { choiceOperators, isOperator } from '../language/choice-operators';
import { runtimeFailure } from '../language/errors';
import type { Json, JsonObject } from '../language/json';
import { compileQuery, typed } from '../language/jsonata/jsonata-template';
import { PathNotFound } from '../language/paths/json-path';
import { compilePath, type PathExpression } from '../language/paths/path-expression';
import type { Scope } from '../language/scope';
import { breathe, type Steps } from '../language/steps';
import type { CompileContext } from './compile';

type Test = (scope: Scope) => boolean;
type Condition = (scope: Scope) => Steps<boolean>;

interface Rule {
  matches: Condition;
  next: string;
  output: RuleOutput;
}

/** Section "Choice state": the first rule that matches decides what comes next. */
export function compileChoice(fields: JsonObject, context: CompileContext): State {
  const base = context.base(fields);
  const rules = (fields.Choices as JsonObject[]).map(
    (rule, i): Rule => ({
      matches: context.jsonata ? queried(rule, `Choices[${i}]/Condition`) : synchronous(compileTest(rule)),
      next: rule.Next as string,
      output: context.rule(rule, `Choices[${i}]`),
    }),
  );
  const fallback = fields.Default as string | undefined;
  return {
    ...base,
    *enter(transition, branch) {
      const scope = transition.scope(branch);
      const read = withInput(scope, base.flow.input(scope));
      for (const rule of rules) {
        yield* breathe();
        if (!(yield* rule.matches(read))) continue;
        // A rule's own Assign and Output stand in for the state's.
        const own = yield* rule.output(read);
        const { output } = context.jsonata ? own : yield* base.flow.output(scope, undefined);
        return { kind: 'output', output, assigned: own.assigned, next: rule.next };
      }
      if (fallback === undefined)
        // The specification has States.NoChoiceMatched here; AWS has not.
        throw runtimeFailure('Failed to transition out of the state. The state does not point to a next state.');
      return { kind: 'output', ...(yield* base.flow.output(scope, undefined)), next: fallback };
    },
  };
}

function synchronous(test: Test): Condition {
  // biome-ignore lint/correctness/useYield: in JSONPath nothing waits
  return function* (scope) {
    return test(scope);
  };
}

function queried(rule: JsonObject, field: string): Condition {
  const query = compileQuery(rule.Condition!, field);
  return function* (scope) {
    return (yield* typed(query, rule.Condition!, field, 'boolean', scope)) as boolean;
  };
}

/** A rule, or a part of one: And, Or, Not, or a comparison. */
function compileTest(rule: JsonObject): Test {
  if (rule.And !== undefined || rule.Or !== undefined) {
    const tests = ((rule.And ?? rule.Or) as JsonObject[]).map(compileTest);
    return rule.And !== undefined
      ? (scope) => tests.every((test) => test(scope))
      : (scope) => tests.some((test) => test(scope));
  }
  if (rule.Not !== undefined) {
    const inner = compileTest(rule.Not as JsonObject);
    return (scope) => !inner(scope);
  }
  return compileComparison(rule);
}

const missing: unique symbol = Symbol('the path leads nowhere');

function compileComparison(rule: JsonObject): Test {
  const variable = compilePath(rule.Variable as string);
  const key = Object.keys(rule).find((each) => isOperator(each.replace(/Path$/, '')))!;
  if (key === 'IsPresent') return (scope) => (read(variable, scope) !== missing) === rule.IsPresent;
  const { compare } = choiceOperators[key] ?? choiceOperators[key.slice(0, -4)]!;
  const expected = isOperator(key) ? rule[key]! : compilePath(rule[key] as string);
  return (scope) => {
    const value = required(variable, scope);
    scope.work.spend(typeof value === 'string' ? 1 + value.length / signsInALook : 1);
    return compare(value, isPath(expected) ? required(expected, scope) : expected);
  };
}

/** Of a text so much is compared in the time that it takes to look at a value. */
const signsInALook = 32;

const isPath = (value: Json | PathExpression): value is PathExpression =>
  typeof value === 'object' && value !== null && 'read' in value && typeof value.read === 'function';

function read(path: PathExpression, scope: Scope): Json | typeof missing {
  try {
    return path.read(scope);
  } catch (error) {
    if (error instanceof PathNotFound) return missing;
    throw error;
  }
}

function required(path: PathExpression, scope: Scope): Json {
  const value = read(path, scope);
  if (value === missing) {
    throw runtimeFailure(`Invalid path '${path.text}': The choice state's condition path references an invalid value.`);
  }
  return value;
}
