import { isObject, type Json, type JsonObject } from '../language/json';
import type { Report } from './validate';

/** "The maximum length of a variable name is 80 characters." */
const longestName = 80;
const name = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;

/** Checks the variables that a state assigns, and those of its choice rules and catchers. */
export function checkAssign(report: Report, state: JsonObject, jsonata: boolean, at: string): void {
  for (const [place, assigned] of assignments(state)) checkNames(report, assigned, jsonata, `${at}${place}`);
}

/** The names of those variables. */
export const assignedBy = (state: JsonObject): string[] =>
  assignments(state).flatMap(([, assigned]) => (isObject(assigned) ? Object.keys(assigned).map(variableOf) : []));

const variableOf = (key: string): string => key.replace(/\.\$$/, '');

/** All that a state may assign, each with its place in the state. */
function assignments(state: JsonObject): [string, Json | undefined][] {
  const found: [string, Json | undefined][] = [['/Assign', state.Assign]];
  for (const field of ['Choices', 'Catch']) {
    const rules = state[field];
    if (!Array.isArray(rules)) continue;
    for (const [i, rule] of rules.entries()) if (isObject(rule)) found.push([`/${field}[${i}]/Assign`, rule.Assign]);
  }
  return found;
}

function checkNames(report: Report, assigned: Json | undefined, jsonata: boolean, at: string): void {
  // In JSONata the whole field may be an expression.
  if (assigned === undefined || (jsonata && typeof assigned === 'string')) return;
  if (!isObject(assigned)) {
    report('Expected value of type [OBJECT]', at);
    return;
  }
  for (const key of Object.keys(assigned)) {
    const variable = jsonata ? key : variableOf(key);
    if (variable === 'states') report("The variable name 'states' is reserved", at);
    else if (!name.test(variable)) report(`The variable name '${variable}' is not a valid identifier`, at);
    else if (variable.length > longestName) report(`Variable name is longer than ${longestName} characters`, at);
  }
}
