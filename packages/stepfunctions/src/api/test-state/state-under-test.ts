import { isObject, type Json, type JsonObject, jsonText, parseJson } from '../../language/json';
import { type Diagnostic, validateDefinition } from '../../validation/validate';
import { textProblem } from '../../validation/validate-text';
import { ApiError, validationFailed } from '../api-error';
import { optionalText, requiredText } from '../request';

/** The name that a tested state goes by, whatever it is called in its definition. */
export const testedName = 'StateName';

/** A state to test, in the query language that it has where it comes from. */
export interface StateUnderTest {
  readonly state: JsonObject;
  readonly jsonata: boolean;
  /** The Map state whose iterations it belongs to, where it comes from one. */
  readonly map?: JsonObject | undefined;
}

/** The definition is the state itself, or a state machine of which `stateName` names a state. Throws InvalidDefinition. */
export function stateUnderTest(body: JsonObject): StateUnderTest {
  const text = requiredText(body, 'definition');
  const problem = textProblem(text);
  if (problem) refuse([problem]);
  const definition = parseJson(text) as JsonObject;
  const name = optionalText(body, 'stateName');
  if (name === undefined) {
    const jsonata = definition.QueryLanguage === 'JSONata';
    refuse(validateDefinition(jsonText(alone({ state: definition, jsonata }))));
    return { state: definition, jsonata };
  }
  refuse(validateDefinition(text));
  const found = findState(definition, name);
  if (found === undefined) throw validationFailed('State not found in definition');
  return { ...found, jsonata: (found.state.QueryLanguage ?? definition.QueryLanguage) === 'JSONata' };
}

function refuse(found: Diagnostic[]): void {
  const errors = found.filter(({ severity }) => severity === 'ERROR');
  if (errors.length === 0) return;
  const text = errors
    .map(({ code, message, location }) => `${code}: ${message}${location ? ` at ${location}` : ''}`)
    .join(', ');
  throw new ApiError('InvalidDefinition', `Invalid State Machine Definition: '${text}'`);
}

/** States lie in branches and item processors as well. */
export function findState(
  block: JsonObject,
  name: string,
  map?: JsonObject,
): Pick<StateUnderTest, 'state' | 'map'> | undefined {
  const states = isObject(block.States) ? block.States : {};
  const state = Object.hasOwn(states, name) ? states[name] : undefined;
  if (isObject(state)) return { state, map };
  for (const state of Object.values(states).filter(isObject)) {
    const branches = Array.isArray(state.Branches) ? state.Branches : [];
    for (const inner of [state.ItemProcessor, state.Iterator, ...branches]) {
      const found = isObject(inner) ? findState(inner, name, state.Type === 'Map' ? state : map) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

/** Whether a Map state runs its iterations as executions of their own. */
export const isDistributed = ({ ItemProcessor }: JsonObject): boolean =>
  isObject(ItemProcessor) &&
  isObject(ItemProcessor.ProcessorConfig) &&
  ItemProcessor.ProcessorConfig.Mode === 'DISTRIBUTED';

/** A state machine that has nothing but the state: everything that it hands over to is an end. */
export function alone({ state, jsonata }: StateUnderTest): JsonObject {
  const targets = new Set<string>();
  const note = (value: Json | undefined) => {
    if (typeof value === 'string') targets.add(value);
  };
  note(state.Next);
  note(state.Default);
  for (const list of [state.Choices, state.Catch]) {
    for (const rule of Array.isArray(list) ? list : []) if (isObject(rule)) note(rule.Next);
  }
  targets.delete(testedName);
  const ends = Object.fromEntries([...targets].map((target) => [target, { Type: 'Succeed' }]));
  return {
    StartAt: testedName,
    ...(jsonata && { QueryLanguage: 'JSONata' }),
    States: { [testedName]: state, ...ends },
  };
}

/** Fields that make a state's iterations or branches. */
const mapFields = new Set([
  'Branches',
  'ItemProcessor',
  'Iterator',
  'ItemSelector',
  'ItemsPath',
  'Items',
  'ItemReader',
  'ItemBatcher',
  'ResultWriter',
  'Label',
  ...['MaxConcurrency', 'ToleratedFailureCount', 'ToleratedFailurePercentage'].flatMap((name) => [name, `${name}Path`]),
]);

/** A mocked Parallel or Map state works like a task: its result is given, what it does to the data is its own. */
export function asTask(tested: StateUnderTest): StateUnderTest {
  const { state } = tested;
  if (state.Type !== 'Map' && state.Type !== 'Parallel') return tested;
  const kept = Object.entries(state).filter(
    ([name]) => !mapFields.has(name) && !(name === 'Parameters' && state.Type === 'Map'),
  );
  return {
    ...tested,
    state: { ...Object.fromEntries(kept), Type: 'Task', Resource: 'arn:aws:states:::mocked:state' },
  };
}
