import type { Execution } from '../interpreter/execution';
import type { HistoryEvent } from '../interpreter/history';
import { jsonText } from '../interpreter/history';
import { Transition } from '../interpreter/transition';
import type { Json, JsonObject } from '../language/json';
import type { Scope } from '../language/scope';
import { drive } from '../language/steps';
import { jsonPathFlow } from '../states/jsonpath-flow';

/** What TestState shows of the data on its way through the state, step by step. */
export async function inspect(
  state: JsonObject,
  execution: Execution,
  input: string,
  events: HistoryEvent[],
  failed: object | undefined,
): Promise<JsonObject> {
  const shown: JsonObject = { input };
  const result = events.find(({ type }) => /(Task|LambdaFunction|Activity)Succeeded$/.test(type))?.details?.output;
  if (typeof result === 'string') shown.result = result;
  if (state.QueryLanguage === 'JSONata') {
    const parameters = events.find(({ type }) => type === 'TaskScheduled')?.details?.parameters;
    if (typeof parameters === 'string') shown.afterArguments = parameters;
    return shown;
  }
  const transition = new Transition(execution, execution.time, undefined);
  const scope: Scope = { ...transition.scope(execution.root), input: JSON.parse(input) as Json };
  try {
    const flow = jsonPathFlow(pick(state, 'InputPath', 'Parameters'));
    const filtered = flow.input(scope);
    shown.afterInputPath = jsonText(filtered);
    const parameters = flow.arguments ? await drive(flow.arguments({ ...scope, input: filtered })) : filtered;
    shown.afterParameters = jsonText(parameters);
    if (failed || (shown.result === undefined && state.Type !== 'Pass')) return shown;
    const made: Json =
      shown.result === undefined
        ? ((state.Result as Json | undefined) ?? parameters)
        : JSON.parse(String(shown.result));
    if (state.Type === 'Pass') shown.result = jsonText(made);
    shown.afterResultSelector = jsonText(
      (await drive(jsonPathFlow(pick(state, 'ResultSelector')).output(scope, made))).output,
    );
    shown.afterResultPath = jsonText(
      (await drive(jsonPathFlow(pick(state, 'ResultSelector', 'ResultPath')).output(scope, made))).output,
    );
  } catch {
    // The step that fails is the last that there is to show.
  }
  return shown;
}

const pick = (fields: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
