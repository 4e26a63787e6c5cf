import jsonata from 'jsonata';
import { compileIntrinsic, isIntrinsic } from './intrinsic';
import { isObject, type Json, type JsonObject } from './json';
import { isQuery } from './jsonata-template';
import { compilePath, isReferencePath } from './path-expression';
import type { Checking } from './validate';

/** Fields that are a path, and those of them that have to be a reference path. */
const pathFields = [
  'InputPath',
  'OutputPath',
  'ItemsPath',
  'SecondsPath',
  'TimestampPath',
  'TimeoutSecondsPath',
  'HeartbeatSecondsPath',
  'MaxConcurrencyPath',
  'ToleratedFailureCountPath',
  'ToleratedFailurePercentagePath',
  'ErrorPath',
  'CausePath',
];
const templates = ['Parameters', 'ResultSelector', 'ItemSelector', 'Assign'];
const jsonPathOnly = [...pathFields, 'Parameters', 'ResultSelector', 'ResultPath'];
const jsonataOnly = ['Arguments', 'Output', 'Items'];

/** Checks that a state's expressions parse, and that its fields belong to its query language. */
export function checkExpressions(checking: Checking, state: JsonObject, at: string): void {
  const jsonataState =
    state.QueryLanguage === undefined ? checking.machineIsJsonata : state.QueryLanguage === 'JSONata';
  const { report } = checking;
  for (const field of jsonataState ? jsonPathOnly : jsonataOnly) {
    if (state[field] === undefined) continue;
    report(
      `The field '${field}' is not supported with the query language ${jsonataState ? 'JSONata' : 'JSONPath'}`,
      `${at}/${field}`,
    );
  }
  if (jsonataState) checkQueries(report, state, at);
  else checkPaths(checking, state, at);
}

function checkPaths({ report }: Checking, state: JsonObject, at: string): void {
  for (const field of pathFields) {
    const value = state[field];
    if (typeof value === 'string' && !parses(value, field === 'ErrorPath' || field === 'CausePath'))
      report('Value is not a valid JSONPath', `${at}/${field}`);
  }
  const { ResultPath } = state;
  if (typeof ResultPath === 'string' && !(parses(ResultPath, false) && isReferencePath(compilePath(ResultPath)))) {
    report('Value is not a Reference Path', `${at}/ResultPath`);
  }
  for (const field of templates) if (state[field] !== undefined) checkTemplate(report, state[field]!, `${at}/${field}`);
}

function checkTemplate(report: Checking['report'], value: Json, at: string): void {
  if (Array.isArray(value)) for (const [i, each] of value.entries()) checkTemplate(report, each, `${at}[${i}]`);
  if (!isObject(value)) return;
  for (const [key, each] of Object.entries(value)) {
    if (!key.endsWith('.$')) checkTemplate(report, each, `${at}/${key}`);
    else if (typeof each !== 'string' || !parses(each, true)) {
      report(`The value for the field '${key}' must be a valid JSONPath or a valid intrinsic function call`, at);
    }
  }
}

function parses(text: string, intrinsics: boolean): boolean {
  try {
    if (intrinsics && isIntrinsic(text)) compileIntrinsic(text);
    else compilePath(text);
    return true;
  } catch {
    return false;
  }
}

const inner = new Set(['States', 'Branches', 'ItemProcessor', 'Iterator']);

function checkQueries(report: Checking['report'], value: Json, at: string): void {
  if (typeof value === 'string' && isQuery(value)) {
    try {
      jsonata(value.slice(2, -2).trim());
    } catch (error) {
      report(`The JSONata expression is invalid: ${(error as Error).message}`, at);
    }
  } else if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) checkQueries(report, each, `${at}[${i}]`);
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) if (!inner.has(key)) checkQueries(report, each, `${at}/${key}`);
  }
}
