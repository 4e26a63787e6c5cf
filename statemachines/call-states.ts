import type { FunctionTool, Tool } from '../core/agent/tool';
import { functionId } from './function-id';
import { askRetriers, toolRetriers } from './retriers';
import type { Catcher, ChoiceRule, PassState, State } from './states';

/** Seconds that a state waits past its function's own timeout, so that the function's clearer error comes first. */
export const grace = 10;

/**
 * Where the states of a call stand: in the loop itself, or inside the Map that runs several at once. Either way their
 * input has `conversationId`, `runId` and `call`, and what they answer is dropped: a call's outcome is in the table.
 */
export interface Place {
  /** What follows a call that is served. */
  leave: { Next: string } | { End: true; OutputPath: string };
  /** What follows a call that its state gave up on. */
  catcher: Catcher;
  /** A state name that is unique in the whole machine, as the specification demands. */
  rename(state: string): string;
}

const ids = { 'conversationId.$': '$.conversationId', 'runId.$': '$.runId', 'callId.$': '$.call.callId' };

/** One state for each way to serve a call that may stand inside the Map too: each function tool, and a callback. */
export function callStates(tools: Tool[], { leave, catcher, rename }: Place): Record<string, State> {
  const states: Record<string, State> = {};
  for (const tool of tools) {
    if (tool.kind === 'function') states[rename(tool.name)] = toolState(tool, { leave, catcher });
  }
  states[rename('AwaitCallback')] = {
    ...await_,
    Comment: 'Asks, and waits for the answer: a person, another agent or a webhook gives it, or the time runs out.',
    ResultPath: null,
    Catch: [catcher],
    ...leave,
  };
  return states;
}

const await_ = {
  Type: 'Task' as const,
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  Parameters: { FunctionName: '${Ask}', Payload: { ...ids, 'taskToken.$': '$$.Task.Token' } },
  TimeoutSecondsPath: '$.call.timeoutSeconds',
  Retry: askRetriers,
};

/**
 * Inside the Map only: an approved call goes on to its tool at once, whatever the others still wait for. In the loop CallModel
 * hands it out again.
 */
export const awaitApproval = (catcher: Catcher, route: string): State => ({
  ...await_,
  Comment:
    'Asks whether this call may run. The answer is where it goes: to its tool, or nowhere. It waits for no other call.',
  ResultPath: '$.call.next',
  Catch: [catcher],
  Next: route,
});

/**
 * In the loop only: a sleeper inside a Map could not be woken by a message, and a call that failed beside it would be
 * heard of when the sleep is over. So the calls beside a wait are served first, and the wait is slept after them.
 */
export const sleep: State = {
  Type: 'Wait',
  Comment: 'The agent sleeps. Nothing runs and nothing is billed until the moment that it chose.',
  TimestampPath: '$.call.until',
  Next: 'CallModel',
};

/** The rules of a Choice that finds the state of a call by its `next`. */
export function callChoices(tools: Tool[], variable: string, rename: Place['rename'], approval: string): ChoiceRule[] {
  const served = tools.filter((tool) => tool.kind === 'function');
  return [
    ...served.map(({ name }) => ({ Variable: variable, StringEquals: `tool:${name}`, Next: rename(name) })),
    { Variable: variable, StringEquals: 'callback', Next: rename('AwaitCallback') },
    { Variable: variable, StringEquals: 'approval', Next: approval },
  ];
}

/** An execution keeps the definition that it started with; CallModel's code may be newer, and know a newer tool. */
export const noSuchTool: Omit<PassState, 'ResultPath' | 'Next' | 'End'> = {
  Type: 'Pass',
  Comment: 'The tool was deployed after this execution had started. A later segment has a state for it.',
  Result: { Error: 'NoSuchTool', Cause: 'This execution is older than the tool and cannot run it. A new run can.' },
};

const toolState = (tool: FunctionTool, { leave, catcher }: Pick<Place, 'leave' | 'catcher'>): State => ({
  ...invokeTool(tool, ids),
  Comment: `Runs the tool ${tool.name} (effect: ${tool.effect}). Its result is in the table, not in the payload.`,
  Catch: [catcher],
  ...leave,
});

/** Running a tool and undoing it are the same function, with the same timeout and the same patience. */
export const invokeTool = (tool: FunctionTool, Payload: object) => ({
  Type: 'Task' as const,
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: `\${${functionId(tool.name)}}`, Payload },
  TimeoutSeconds: tool.timeoutSeconds + grace,
  ResultPath: null,
  Retry: toolRetriers(tool.retry),
});
