import { parseResource } from '../../execution/task-resource';
import { isObject, type Json, type JsonObject, parseJson } from '../../language/json';
import { ApiError, validationFailed } from '../api-error';
import { checkOneOf, optionalText } from '../request';
import { resultModel } from './result-model';
import { checkResult } from './result-shape';
import { findState } from './state-under-test';

/** The result or error that replaces the state's call. */
export type Mock = { result: Json } | { error: string; cause?: string };

const mockable = ['Task', 'Map', 'Parallel'];

/** Reads `mock` and checks what goes with it. Undefined without one. Throws ApiError in AWS's words. */
export async function readMock(body: JsonObject, state: JsonObject): Promise<Mock | undefined> {
  if (!isObject(body.mock)) {
    checkUnmocked(body, state);
    return undefined;
  }
  const type = String(state.Type);
  if (!mockable.includes(type))
    throw validationFailed(`State type '${type}' is not supported when a mock is specified`);
  if (body.revealSecrets === true)
    throw validationFailed('TestState does not support RevealSecrets when a mock is specified.');
  checkOneOf(body.mock, 'fieldValidationMode', ['STRICT', 'PRESENT', 'NONE']);
  checkCause(body, state);
  const { result, errorOutput } = body.mock;
  if (typeof result === 'string' && isObject(errorOutput))
    throw validationFailed('A test mock should have only one of the following fields: [result, errorOutput].');
  if (isObject(errorOutput)) {
    const error = optionalText(errorOutput, 'error');
    if (error === undefined) throw validationFailed('An error must be specified in the mocked error output.');
    return { error, cause: optionalText(errorOutput, 'cause') };
  }
  if (typeof result !== 'string')
    throw validationFailed('A test mock should have one of the following fields: [result, errorOutput].');
  const value = parsed(result);
  await checkMocked(value, state, body.mock.fieldValidationMode);
  return { result: value };
}

/** An error of a Map or Parallel state comes from one of the states inside. */
function checkCause({ stateConfiguration }: JsonObject, state: JsonObject): void {
  const name = isObject(stateConfiguration) ? optionalText(stateConfiguration, 'errorCausedByState') : undefined;
  if (name === undefined || findState({ States: { '': state } }, name)) return;
  throw validationFailed(`The state '${name}', which causes the error, is not in the tested state`);
}

/** Rejects a request that needs a mock and has none. */
function checkUnmocked(body: JsonObject, state: JsonObject): void {
  for (const name of isObject(body.stateConfiguration) ? Object.keys(body.stateConfiguration) : []) {
    const field = name[0]!.toUpperCase() + name.slice(1);
    throw validationFailed(`TestState does not support ${field} when a mock is not specified.`);
  }
  if (body.context !== undefined && body.context !== null)
    throw validationFailed('TestState does not support Context when a mock is not specified.');
  if (state.Type === 'Map' || state.Type === 'Parallel')
    throw new ApiError(
      'InvalidDefinition',
      'TestState API does not support Map or Parallel states. Supported state types include: [Task, Wait, Pass, Succeed, Fail, Choice]',
    );
  if (state.Type !== 'Task') return;
  if (optionalText(body, 'roleArn') === undefined)
    throw validationFailed('RoleArn must be specified when testing a Task state');
  if (/:activity:|\.sync(:2)?$|\.waitForTaskToken$/.test(String(state.Resource)))
    throw new ApiError(
      'InvalidDefinition',
      'TestState API does not support Activity tasks, and .sync or .waitForTaskToken service integration patterns, without a mock',
    );
}

function parsed(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw validationFailed('Mocked result must be valid JSON');
  }
}

/** The result of Map and Parallel states is a list, but for a map that writes it elsewhere; a service's follows its API. */
async function checkMocked(value: Json, state: JsonObject, mode: Json | undefined): Promise<void> {
  if (state.Type === 'Map' && state.ResultWriter !== undefined) {
    if (!isObject(value)) throw validationFailed('Mocked result must be a JSON object.');
  } else if (state.Type === 'Map' || state.Type === 'Parallel') {
    if (!Array.isArray(value)) throw validationFailed('Mocked result must be an array.');
    if (state.Type === 'Parallel' && Array.isArray(state.Branches) && state.Branches.length !== value.length)
      throw validationFailed('Mocked result must contain the same number of items as number of Parallel branches.');
  } else if (mode !== 'NONE') {
    const resource = parseResource(String(state.Resource));
    const model = resource && (await resultModel(resource));
    if (model) checkResult(value, model, mode === 'PRESENT' ? 'PRESENT' : 'STRICT');
  }
}
