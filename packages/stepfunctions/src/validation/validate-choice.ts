import { choiceOperators, isOperator, type OperandType } from '../language/choice-operators';
import { isNumber, isObject, type Json, type JsonObject } from '../language/json';
import { parseTimestamp } from '../language/timestamp';
import { isPath } from './paths';
import { type Checking, checkRequired } from './validate';
import { checkText } from './validate-types';

/** Checks a top-level choice rule. */
export function checkChoiceRule({ report }: Checking, rule: Json, at: string, jsonata: boolean): void {
  if (!isObject(rule)) {
    report('Value is not of type object', at);
    return;
  }
  checkRequired(report, rule, ['Next'], at);
  checkText(report, rule, 'Next', at);
  if (jsonata) checkRequired(report, rule, ['Condition'], at);
  else checkTest(report, rule, at);
}

/** And, Or, Not, or a variable with exactly one comparison. */
function checkTest(report: Checking['report'], test: Json, at: string): void {
  if (!isObject(test)) {
    report('Value is not of type object', at);
    return;
  }
  for (const [name, part] of [
    ['And', test.And],
    ['Or', test.Or],
  ] as const) {
    if (part === undefined) continue;
    if (!Array.isArray(part) || part.length === 0) report('Array has fewer items than minimum of 1', `${at}/${name}`);
    else for (const [i, each] of part.entries()) checkTest(report, each, `${at}/${name}[${i}]`);
    return;
  }
  if (test.Not !== undefined) checkTest(report, test.Not, `${at}/Not`);
  else checkComparison(report, test, at);
}

const fits: Record<OperandType, (value: Json) => boolean> = {
  string: (value) => typeof value === 'string',
  number: isNumber,
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => typeof value === 'string' && parseTimestamp(value) !== undefined,
};

function checkComparison(report: Checking['report'], test: JsonObject, at: string): void {
  checkRequired(report, test, ['Variable'], at);
  checkPath(report, test, 'Variable', at);
  const plain = Object.keys(test).filter(isOperator);
  const byPath = Object.keys(test).filter((key) => key.endsWith('Path') && choiceOperators[key.slice(0, -4)]?.path);
  if (plain.length + byPath.length !== 1) {
    report('Exactly one comparison operator is required', at);
    return;
  }
  const [name] = plain;
  for (const path of byPath) checkPath(report, test, path, at);
  if (name !== undefined && !fits[choiceOperators[name]!.operand](test[name]!)) {
    report(`Value is not of type ${choiceOperators[name]!.operand}`, `${at}/${name}`);
  }
}

function checkPath(report: Checking['report'], test: JsonObject, field: string, at: string): void {
  const path = test[field];
  checkText(report, test, field, at);
  if (typeof path === 'string' && !isPath(path)) report('Value is not a valid JSONPath', `${at}/${field}`);
}
