import type { Tool } from '../core/conversations/agent/tool';
import {
  callChoices,
  callStates,
  grace,
  modelTimeoutSeconds,
  noSuchTool,
  type Place,
  sleep,
  tellModel,
} from './call-states';
import { continueAsNew } from './continue-as-new';
import { failingStates, settleFirst } from './failing';
import { modelRetriers } from './retriers';
import { runTools } from './run-tools';
import { integrations, type StateMachineDefinition } from './states';

const inLoop: Place = { leave: { Next: 'CallModel' }, catcher: tellModel, rename: (state) => state };

/**
 * Returns the definition of the agent loop; docs/agent-loop.md has its picture. `${CallModel}`, `${Ask}`, `${Settle}`,
 * `${RunIsolated}` and one placeholder per other function tool stand for ARNs, which the deployment fills in.
 *
 * The payload between the states is core's `LoopInput` and `LoopOutput`: ids and outcomes. CallModel's answer replaces
 * the payload, so nothing of an earlier step stays in it.
 */
export function agentLoop(tools: Tool[]): StateMachineDefinition {
  return {
    Comment:
      'One segment of a run: calls the model, runs the tool calls it asks for, and repeats until it has nothing left to do. ' +
      'Input: {conversationId, runId, segment, step}. Ends at Done when the run is over or continues in the next segment; ' +
      'fails after Settle has ended the run with the reason.',
    StartAt: 'CallModel',
    States: {
      CallModel: {
        Type: 'Task',
        Comment:
          'One step: the model reads the conversation and decides what comes next. A stored reply is never requested again.',
        Resource: integrations.invoke,
        Parameters: { FunctionName: '${CallModel}', 'Payload.$': '$' },
        OutputPath: '$.Payload',
        TimeoutSeconds: modelTimeoutSeconds + grace,
        Retry: modelRetriers,
        Catch: [settleFirst],
        Next: 'Route',
      },
      Route: {
        Type: 'Choice',
        Comment: 'Follows the decision of CallModel. One transition, whatever the number of tools.',
        Choices: [
          { Variable: '$.next', StringEquals: 'done', Next: 'Done' },
          ...callChoices(tools, '$.next', inLoop.rename, 'AwaitCallback'),
          { Variable: '$.next', StringEquals: 'wait', Next: 'Sleep' },
          { Variable: '$.next', StringEquals: 'many', Next: 'RunTools' },
          { Variable: '$.next', StringEquals: 'again', Next: 'CallModel' },
          { Variable: '$.next', StringEquals: 'continue', Next: 'ContinueAsNew' },
          { Variable: '$.next', StringMatches: 'tool:*', Next: 'NoSuchTool' },
        ],
        Default: 'NoSuchRoute',
      },
      ...callStates(tools, inLoop),
      Sleep: sleep,
      RunTools: runTools(tools),
      ContinueAsNew: continueAsNew({
        'conversationId.$': '$.conversationId',
        'runId.$': '$.runId',
        'segment.$': '$.segment',
        'step.$': '$.step',
      }),
      NoSuchTool: { ...noSuchTool, ResultPath: '$.error', Next: 'CallModel' },
      ...failingStates,
      Done: {
        Type: 'Succeed',
        Comment: 'The run is over, or it continues in the next segment. The table says which.',
      },
    },
  };
}
