import { isObject, type Json, type JsonObject } from '../language/json';
import { isFormula, isPath, isReference } from './paths';
import { type Checking, isJsonata } from './validate';
import { checkQueries } from './validate-jsonata';

/** Fields that are a path, and those of them that have to be a reference path. */
const pathFields = [
  'InputPath',
  'OutputPath',
  'ItemsPath',
  'SecondsPath',
  'TimestampPath',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'ErrorPath',
  'CausePath',
];
const formulas = new Set(['ErrorPath', 'CausePath']);
const templates = [
  'Parameters',
  'ResultSelector',
  'ItemSelector',
  'ItemReader/Parameters',
  'ItemBatcher/BatchInput',
  'ResultWriter/Parameters',
  'Credentials',
];

/** Checks that a state's expressions parse. */
export function checkExpressions(checking: Checking, state: JsonObject, at: string): void {
  if (!isJsonata(checking, state)) {
    checkPaths(checking, state, at);
    return;
  }
  const { Catch, ...fields } = state;
  for (const [name, value] of Object.entries(fields)) {
    if (inner.has(name) || name === 'Comment') continue;
    const result = withResult.has(String(state.Type)) && (name === 'Output' || name === 'Assign');
    checkQueries(checking.report, value, `${at}/${name}`, { result, errorOutput: false });
  }
  if (Catch !== undefined) checkQueries(checking.report, Catch, `${at}/Catch`, { result: false, errorOutput: true });
}

/** These hold states of their own, which are checked by themselves. */
const inner = new Set(['Branches', 'ItemProcessor', 'Iterator']);
/** The types of state whose Output and Assign have `$states.result`. */
const withResult = new Set(['Task', 'Parallel', 'Map']);

function checkPaths({ report }: Checking, state: JsonObject, at: string): void {
  for (const field of pathFields) {
    const value = state[field];
    if (typeof value === 'string' && !(formulas.has(field) ? isFormula(value) : isPath(value)))
      report('Value is not a valid JSONPath', `${at}/${field}`);
  }
  checkResult(report, state, at);
  for (const list of ['Choices', 'Catch'])
    for (const [i, rule] of Object.entries(state[list] ?? []))
      if (isObject(rule)) checkResult(report, rule, `${at}/${list}[${i}]`);
  for (const field of templates) {
    const value = field
      .split('/')
      .reduce<Json | undefined>((found, name) => (isObject(found) ? found[name] : undefined), state);
    if (value !== undefined) checkTemplate(report, value, `${at}/${field}`);
  }
}

/** Checks the use of a state's result, or of an error. */
function checkResult(report: Checking['report'], { ResultPath, Assign = null }: JsonObject, at: string): void {
  // Variables and the context object are read only.
  if (typeof ResultPath === 'string' && !(/^\$([.[]|$)/.test(ResultPath) && isReference(ResultPath)))
    report('Value is not a Reference Path', `${at}/ResultPath`);
  checkTemplate(report, Assign, `${at}/Assign`);
}

function checkTemplate(report: Checking['report'], value: Json, at: string): void {
  if (Array.isArray(value)) for (const [i, each] of value.entries()) checkTemplate(report, each, `${at}[${i}]`);
  if (!isObject(value)) return;
  for (const [key, each] of Object.entries(value)) {
    if (!key.endsWith('.$')) checkTemplate(report, each, `${at}/${key}`);
    else if (typeof each !== 'string' || !isFormula(each)) {
      report(`The value for the field '${key}' must be a valid JSONPath or a valid intrinsic function call`, at);
    }
  }
}
