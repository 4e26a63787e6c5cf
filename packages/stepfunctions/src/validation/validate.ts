import { isObject, type Json, type JsonObject, parseJson } from '../language/json';
import { compileProgram } from '../states/compile';
import { checkLanguageName } from './validate-fields';
import { checkNames } from './validate-names';
import { checkBounds, ofMachine } from './validate-numbers';
import { checkState } from './validate-state';
import { textProblem } from './validate-text';

export interface Diagnostic {
  severity: 'ERROR' | 'WARNING';
  code: string;
  message: string;
  /** `/States/Name/Field` */
  location?: string;
}

export type Report = (message: string, location: string, code?: string) => void;

export interface Checking {
  readonly report: Report;
  readonly express: boolean;
  readonly machineIsJsonata: boolean;
}

/** Checks a definition as CreateStateMachine and ValidateStateMachineDefinition do. Finds all errors; empty for a good one. */
export function validateDefinition(text: string, type: 'STANDARD' | 'EXPRESS' = 'STANDARD'): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (message, location, code = 'SCHEMA_VALIDATION_FAILED') => {
    found.push({ severity: 'ERROR', code, message, ...(location !== '' && { location }) });
  };
  const problem = textProblem(text);
  if (problem !== undefined) return [problem];
  const definition = parseJson(text) as JsonObject;
  const checking: Checking = {
    report,
    express: type === 'EXPRESS',
    machineIsJsonata: (definition.QueryLanguage ?? 'JSONPath') !== 'JSONPath',
  };
  checkLanguageName(checking, definition, '');
  checkBounds(report, definition, ofMachine, '');
  checkBlock(checking, definition, '');
  if (found.length === 0) checkNames(report, definition);
  if (found.length === 0) checkCompiles(report, definition);
  return found;
}

/** Reports what no single check has found: better refused here than by the first execution. */
function checkCompiles(report: Report, definition: JsonObject): void {
  try {
    compileProgram(definition);
  } catch (error) {
    report((error as Error).message, '');
  }
}

/** Whatever is not JSONPath counts as JSONata, also where it is reported. */
export const isJsonata = ({ machineIsJsonata }: Checking, { QueryLanguage }: JsonObject): boolean =>
  QueryLanguage === undefined ? machineIsJsonata : QueryLanguage !== 'JSONPath';

/** A state machine, a branch or an item processor: its states, where it starts, and that each state can be reached. */
export function checkBlock(checking: Checking, block: JsonObject, at: string): void {
  const { report } = checking;
  const { StartAt, States } = block;
  checkRequired(report, block, ['States', 'StartAt'], at || '/');
  if (StartAt !== undefined && typeof StartAt !== 'string') report('Expected value of type [STRING]', `${at}/StartAt`);
  if (!isObject(States) || Object.keys(States).length === 0) {
    if (States !== undefined) report('Field has fewer fields than minimum of 1', `${at}/States`);
    return;
  }
  if (typeof StartAt === 'string' && !Object.hasOwn(States, StartAt)) {
    report(`Missing 'Next' target: ${StartAt}`, `${at}/StartAt`, 'MISSING_TRANSITION_TARGET');
  }
  for (const [name, state] of Object.entries(States)) {
    const path = `${at}/States/${name}`;
    if (!isObject(state)) report('Expected value of type [OBJECT]', path);
    else {
      checkState(checking, name, state, path);
      for (const [target, field] of targets(state)) {
        if (!Object.hasOwn(States, target))
          report(`Missing 'Next' target: ${target}`, `${path}/${field}`, 'MISSING_TRANSITION_TARGET');
      }
    }
  }
  if (!Object.values(States).some(endsBlock)) report('Workflow has no terminal state', '', 'MISSING_END_STATE');
  else if (typeof StartAt === 'string') checkReachable(checking, StartAt, States, at);
}

/** A state after which nothing comes. One without a transition at all has been reported for that. */
const endsBlock = (state: Json): boolean =>
  isObject(state) && (state.Next === undefined || state.End === true) && state.Type !== 'Choice';

/** Reports what is missing in one sentence, as AWS does. */
export function checkRequired(report: Report, fields: JsonObject, names: readonly string[], at: string): void {
  const missing = names.filter((name) => fields[name] === undefined);
  if (missing.length > 0) report(`These fields are required: [${missing.join(', ')}]`, at);
}

/** Every state that the state can hand over to, with the field that says so. */
function targets(state: JsonObject): [string, string][] {
  const found: [string, string][] = [];
  const add = (value: Json | undefined, field: string) => {
    if (typeof value === 'string') found.push([value, field]);
  };
  add(state.Next, 'Next');
  add(state.Default, 'Default');
  for (const list of ['Choices', 'Catch']) {
    const rules = state[list];
    if (!Array.isArray(rules)) continue;
    for (const [i, rule] of rules.entries()) add(isObject(rule) ? rule.Next : undefined, `${list}[${i}]/Next`);
  }
  return found;
}

function checkReachable({ report }: Checking, startAt: string, states: JsonObject, at: string): void {
  const reached = new Set<string>();
  const open = [startAt];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = states[name];
    if (reached.has(name) || !isObject(state)) continue;
    reached.add(name);
    for (const [target] of targets(state)) open.push(target);
  }
  for (const name of Object.keys(states)) {
    if (!reached.has(name))
      report(`State "${name}" is not reachable.`, `${at}/States/${name}`, 'MISSING_TRANSITION_TARGET');
  }
}
