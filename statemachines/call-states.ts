import { attemptSeconds, type FunctionTool, type Tool } from '../core/conversations/agent/tool';
import { functionId } from './function-id';
import { askRetriers, toolRetriers } from './retriers';
import { type Catcher, type ChoiceRule, integrations, type PassState, type State } from './states';

/**
 * Seconds that a state waits longer than its function's timeout, so the function's own error, which is clearer, comes
 * first.
 */
export const grace = 10;

/** Timeout of the CallModel function in seconds, nearly Lambda's own: a model may think for 14 minutes. The state waits a little longer. */
export const modelTimeoutSeconds = 880;

/**
 * The place of the states of a call: the loop, or the Map that runs several calls at once. In both, their input has
 * `conversationId`, `runId` and `call`, and their output is dropped, because the table has the call's outcome.
 */
export interface Place {
  /** The transition after a served call. */
  leave: { Next: string } | { End: true; OutputPath: string };
  /** The transition after a call whose state gave up. */
  catcher: Catcher;
  /** Returns a state name that is unique in the whole machine, as the specification demands. */
  rename(state: string): string;
}

const ids = { 'conversationId.$': '$.conversationId', 'runId.$': '$.runId', 'callId.$': '$.call.callId' };

/** Returns the states that may also be in the Map: one for each function tool, and one for callbacks. */
export function callStates(tools: Tool[], place: Place): Record<string, State> {
  const { leave, catcher, rename } = place;
  const states: Record<string, State> = {};
  for (const tool of tools) {
    if (tool.kind === 'function') states[rename(tool.name)] = toolState(tool, place);
  }
  states[rename('AwaitCallback')] = {
    ...await_,
    Comment:
      'Asks and waits for the answer of a person, another agent, a webhook or a provider of models, or for the timeout.',
    ResultPath: null,
    Catch: [catcher],
    ...leave,
  };
  return states;
}

const await_ = {
  Type: 'Task' as const,
  Resource: integrations.invokeAndWait,
  Parameters: { FunctionName: '${Ask}', Payload: { ...ids, 'taskToken.$': '$$.Task.Token' } },
  TimeoutSecondsPath: '$.call.timeoutSeconds',
  Retry: askRetriers,
};

/**
 * Inside the Map only: an approved call continues with its tool at once, without waiting for the other calls. In the
 * loop, CallModel routes it again.
 */
export const awaitApproval = (catcher: Catcher, route: string): State => ({
  ...await_,
  Comment:
    'Waits for the approval of this call only. The answer is where the call goes next: to its tool, or to its end.',
  ResultPath: '$.call.next',
  Catch: [catcher],
  Next: route,
});

/**
 * In the loop only. A message could not wake a Wait inside the Map, and the failure of a parallel call would be
 * reported only after the sleep. So the other calls of the step are served first, and then the wait.
 */
export const sleep: State = {
  Type: 'Wait',
  Comment:
    'The agent sleeps until the time that it chose, or until its model, which does not answer, is asked again. Nothing runs and nothing is billed.',
  TimestampPath: '$.call.until',
  Next: 'CallModel',
};

/** Returns the rules of a Choice that finds the state of a call by its `next`. */
export function callChoices(tools: Tool[], variable: string, rename: Place['rename'], approval: string): ChoiceRule[] {
  return [
    ...tools
      .filter((tool) => tool.kind === 'function')
      .map(({ name }) => ({ Variable: variable, StringEquals: `tool:${name}`, Next: rename(name) })),
    { Variable: variable, StringEquals: 'callback', Next: rename('AwaitCallback') },
    { Variable: variable, StringEquals: 'approval', Next: approval },
  ];
}

/** An execution keeps the definition that it started with. CallModel's code may be newer, and know a newer tool. */
export const noSuchTool: Omit<PassState, 'ResultPath' | 'Next' | 'End'> = {
  Type: 'Pass',
  Comment: 'The tool was deployed after this execution started. A later segment has a state for it.',
  Result: { Error: 'NoSuchTool', Cause: 'This execution is older than the tool and cannot run it. A new run can.' },
};

const toolState = (tool: FunctionTool, { leave, catcher }: Place): State => ({
  ...invokeTool(tool, ids),
  Comment: `Runs the tool ${tool.name} (effect: ${tool.effect}). Its result is in the table, not in the payload.`,
  Catch: [catcher],
  ...leave,
});

/**
 * Undoing a call invokes the same function as running it, with the same timeout and retries. The function of an isolated
 * tool is invoked by RunIsolated: a state of its own would cost transitions, and put results into the payload.
 */
export const invokeTool = (tool: FunctionTool, ids: object) => ({
  Type: 'Task' as const,
  Resource: integrations.invoke,
  // A function may serve several tools.
  Parameters: {
    FunctionName: `\${${tool.isolated ? 'RunIsolated' : functionId(tool.name)}}`,
    Payload: { ...ids, tool: tool.name },
  },
  TimeoutSeconds: attemptSeconds(tool) + grace,
  ResultPath: null,
  Retry: toolRetriers(tool.retry),
});

/** The error goes to CallModel, which tells the model, or fails the run for a ToolTerminal or ConfigurationError. */
export const tellModel: Catcher = {
  Comment: 'All retries failed. The model reads the error as the result of its call.',
  ErrorEquals: ['States.ALL'],
  ResultPath: '$.error',
  Next: 'CallModel',
};
