import type { Execution } from '../../execution/execution';
import type { HistoryEvent } from '../../execution/history';
import { nextDelay, type Retrier } from '../../execution/retry';
import { Transition } from '../../execution/transition';
import { type Json, type JsonObject, jsonText, parseJson } from '../../language/json';
import type { Scope } from '../../language/scope';
import { drive } from '../../language/steps';
import { jsonPathFlow } from '../../states/jsonpath-flow';
import type { StateUnderTest } from './state-under-test';

/** The failure of the state's call, and the retrier and the catcher that cover it; -1 for none. */
export interface Failed {
  error?: string | undefined;
  cause?: string | undefined;
  retry: number;
  retrier: Retrier | undefined;
  caught: number;
}

/** Returns the data at each step through the state, as TestState shows it. */
export async function inspect(
  { state, jsonata }: StateUnderTest,
  execution: Execution,
  input: string,
  events: HistoryEvent[],
  failed: Failed | undefined,
): Promise<JsonObject> {
  const variables = execution.root.variables.values;
  const shown: JsonObject = {
    input,
    ...(Object.keys(variables).length > 0 && { variables: jsonText(variables) }),
    ...(failed && (failed.retry >= 0 || failed.caught >= 0) && { errorDetails: errorDetails(execution, failed) }),
  };
  const isTask = state.Type === 'Task';
  const result = events.find(({ type }) => /(Task|LambdaFunction|Activity)Succeeded$/.test(type))?.details?.output;
  if (isTask && typeof result === 'string') shown.result = result;
  const call = isTask ? events.find(({ type }) => type.endsWith('Scheduled'))?.details : undefined;
  const sent = call?.parameters ?? call?.input;
  if (jsonata) return typeof sent === 'string' ? { ...shown, afterArguments: sent } : shown;
  const scope = {
    ...new Transition(execution, execution.time, undefined).scope(execution.root),
    input: parseJson(input),
  };
  try {
    await showSteps(shown, state, scope, sent, result);
  } catch {
    // The step that fails is the last that there is to show.
  }
  return shown;
}

/** A state that waits for its retrier says when it is tried again; one that has been caught, by what. */
function errorDetails({ root }: Execution, { retry, retrier, caught }: Failed): JsonObject {
  if (retrier === undefined) return { catchIndex: caught };
  if (root.waiting?.kind === 'retry')
    return {
      retryIndex: retry,
      retryBackoffIntervalSeconds: Math.floor(nextDelay(retrier, root.attempts[retry]! - 1)),
    };
  return { retryIndex: retry, ...(caught >= 0 && { catchIndex: caught }) };
}

/** In JSONPath: InputPath, Parameters, the result, ResultSelector and ResultPath, for the types of state that have them. */
async function showSteps(
  shown: JsonObject,
  state: JsonObject,
  scope: Scope,
  sent: Json | undefined,
  result: Json | undefined,
): Promise<void> {
  const type = String(state.Type);
  const flow = jsonPathFlow(pick(state, 'InputPath', 'Parameters'));
  const filtered = flow.input(scope);
  // What a Pass state's Result or a Parallel state's mock replaces is not shown.
  const replaced = (type === 'Pass' && state.Result !== undefined) || type === 'Parallel';
  if (!replaced) shown.afterInputPath = jsonText(filtered);
  if (sent !== undefined) shown.afterParameters = sent;
  const parameters =
    type === 'Pass' && flow.arguments ? await drive(flow.arguments({ ...scope, input: filtered })) : filtered;
  if (!replaced && type === 'Pass') shown.afterParameters = jsonText(parameters);
  if (type === 'Pass' && state.Result !== undefined) shown.result = jsonText(state.Result!);
  const made =
    type === 'Pass' ? (state.Result ?? parameters) : typeof result === 'string' ? parseJson(result) : undefined;
  if (made === undefined) return;
  const after = async (...names: string[]) =>
    jsonText((await drive(jsonPathFlow(pick(state, ...names)).output(scope, made))).output);
  shown.afterResultSelector = await after('ResultSelector');
  shown.afterResultPath = await after('ResultSelector', 'ResultPath');
}

export const pick = (fields: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
