import { hasToken, parseResource } from '../states/task-resource';
import { choiceOperators } from './choice-operators';
import { isObject, type Json, type JsonObject } from './json';
import { parseTimestamp } from './timestamp';
import { type Checking, checkBlock } from './validate';
import { checkExpressions } from './validate-expressions';

/** The fields that each type of state has to have. */
const requiredFields: Record<string, readonly string[]> = {
  Pass: [],
  Task: ['Resource'],
  Choice: ['Choices'],
  Wait: [],
  Succeed: [],
  Fail: [],
  Parallel: ['Branches'],
  Map: [],
};

const endless = new Set(['Choice', 'Succeed', 'Fail']);

/** Checks one state, and what lies inside it. */
export function checkState(checking: Checking, state: JsonObject, at: string): void {
  const { report } = checking;
  const { Type } = state;
  if (typeof Type !== 'string' || !(Type in requiredFields)) {
    if (Type === undefined) report('Missing required field: Type', at);
    else report(`Value is not one of [${Object.keys(requiredFields).join(', ')}]`, `${at}/Type`);
    return;
  }
  for (const field of requiredFields[Type]!)
    if (state[field] === undefined) report(`Missing required field: ${field}`, at);
  if (!endless.has(Type)) checkTransition(checking, state, at);
  checks[Type]?.(checking, state, at);
  checkExpressions(checking, state, at);
}

function checkTransition({ report }: Checking, { Next, End }: JsonObject, at: string): void {
  if (Next === undefined && End !== true) report("Missing 'Next' or 'End' field", at);
  if (Next !== undefined && End === true) report("These fields cannot be used together: 'Next', 'End'", at);
}

type Check = (checking: Checking, state: JsonObject, at: string) => void;

const checks: Record<string, Check> = {
  Task(checking, state, at) {
    const resource = typeof state.Resource === 'string' ? parseResource(state.Resource) : undefined;
    if (state.Resource !== undefined && resource === undefined)
      checking.report('Value is not a valid resource ARN', `${at}/Resource`);
    if (checking.express && resource && resource.kind === 'service' && resource.pattern !== '') {
      const pattern = hasToken(resource) ? '.waitForTaskToken' : '.sync';
      checking.report(`Express state machine does not support '${pattern}' service integration`, `${at}/Resource`);
    }
    checkErrorHandling(checking, state, at);
  },
  Choice(checking, state, at) {
    if (!Array.isArray(state.Choices)) return;
    if (state.Choices.length === 0) checking.report('Array has fewer items than minimum of 1', `${at}/Choices`);
    state.Choices.forEach((rule, i) => {
      const path = `${at}/Choices[${i}]`;
      if (!isObject(rule)) return checking.report('Value is not of type object', path);
      if (rule.Next === undefined) checking.report('Missing required field: Next', path);
      if (!isJsonata(checking, state)) checkRule(checking, rule, path);
      else if (rule.Condition === undefined) checking.report('Missing required field: Condition', path);
    });
  },
  Wait(checking, state, at) {
    const given = ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'].filter(
      (field) => state[field] !== undefined,
    );
    if (given.length !== 1) {
      checking.report(
        "Exactly one of the fields 'Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath' is required",
        at,
      );
    }
    const { Timestamp } = state;
    if (typeof Timestamp === 'string' && !Timestamp.startsWith('{%') && parseTimestamp(Timestamp) === undefined) {
      checking.report('String does not match RFC3339 timestamp', `${at}/Timestamp`);
    }
  },
  Fail({ report }, state, at) {
    for (const field of ['Error', 'Cause']) {
      if (state[field] !== undefined && state[`${field}Path`] !== undefined)
        report(`These fields cannot be used together: '${field}', '${field}Path'`, at);
    }
  },
  Parallel(checking, state, at) {
    if (Array.isArray(state.Branches)) {
      state.Branches.forEach((branch, i) => isObject(branch) && checkBlock(checking, branch, `${at}/Branches[${i}]`));
    }
    checkErrorHandling(checking, state, at);
  },
  Map(checking, state, at) {
    const field = state.ItemProcessor !== undefined ? 'ItemProcessor' : 'Iterator';
    const processor = state[field];
    if (!isObject(processor)) return checking.report('Missing required field: ItemProcessor', at);
    checkBlock(checking, processor, `${at}/${field}`);
    checkErrorHandling(checking, state, at);
  },
};

const isJsonata = ({ machineIsJsonata }: Checking, { QueryLanguage }: JsonObject): boolean =>
  QueryLanguage === undefined ? machineIsJsonata : QueryLanguage === 'JSONata';

/** A choice rule in JSONPath: And, Or, Not, or a variable with exactly one comparison. */
function checkRule({ report }: Checking, rule: JsonObject, at: string): void {
  const parts = [rule.And, rule.Or].filter(Array.isArray) as Json[][];
  if (parts.length > 0) {
    for (const part of parts.flat()) if (isObject(part)) checkRule({ report } as Checking, part, at);
    return;
  }
  if (isObject(rule.Not)) return checkRule({ report } as Checking, rule.Not, at);
  if (rule.Variable === undefined) report('Missing required field: Variable', at);
  const operators = Object.keys(rule).filter(
    (key) => key in choiceOperators || (key.endsWith('Path') && choiceOperators[key.slice(0, -4)]?.path),
  );
  if (operators.length !== 1) report('Exactly one comparison operator is required', at);
}

function checkErrorHandling({ report }: Checking, state: JsonObject, at: string): void {
  for (const list of ['Retry', 'Catch']) {
    const rules = state[list];
    if (!Array.isArray(rules)) continue;
    rules.forEach((rule, i) => {
      const path = `${at}/${list}[${i}]`;
      if (!isObject(rule)) return report('Value is not of type object', path);
      const errors = rule.ErrorEquals;
      if (!Array.isArray(errors) || errors.length === 0) report('Missing required field: ErrorEquals', path);
      else if (errors.includes('States.ALL') && (errors.length > 1 || i < rules.length - 1)) {
        report('States.ALL can only appear alone, and in the last element', `${path}/ErrorEquals`);
      }
      if (list === 'Catch' && rule.Next === undefined) report('Missing required field: Next', path);
    });
  }
}
