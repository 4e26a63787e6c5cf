import type { Tool } from '../core/agent/tool';
import { callChoices, callStates, grace, noSuchTool, type Place, sleep } from './call-states';
import { continueAsNew } from './continue-as-new';
import { failingStates, settleFirst } from './failing';
import { modelRetriers } from './retriers';
import { runTools } from './run-tools';
import type { StateMachineDefinition } from './states';

/** Of the function CallModel, in seconds: a long answer, streamed. The state waits a little longer. */
export const modelTimeoutSeconds = 300;

/**
 * The agent loop, as the agent loop's picture in the docs shows it. `${CallModel}`, `${Ask}`, `${Settle}` and one
 * placeholder for each function tool stand for ARNs; whoever deploys the definition fills them in.
 *
 * The payload between the states is core's `LoopInput` and `LoopOutput`: ids and outcomes. CallModel's answer replaces it,
 * so that nothing of an earlier round is ever left in it.
 */
export function agentLoop(tools: Tool[]): StateMachineDefinition {
  const inLoop: Place = { leave: { Next: 'CallModel' }, catcher: tellModel, rename: (state) => state };
  return {
    Comment:
      'One segment of a run: calls the model, does what it asks for, and calls it again until it has nothing left to do. ' +
      'Input: {conversationId, runId, segment, step}. Ends at Done when the run is over or the next segment has it; ' +
      'fails only when CallModel gives up, after Settle has ended the run with the reason.',
    StartAt: 'CallModel',
    States: {
      CallModel: {
        Type: 'Task',
        Comment:
          'One step: the model reads the conversation and says what comes next. A step that is stored is not paid again.',
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { FunctionName: '${CallModel}', 'Payload.$': '$' },
        OutputPath: '$.Payload',
        TimeoutSeconds: modelTimeoutSeconds + grace,
        Retry: modelRetriers,
        Catch: [settleFirst],
        Next: 'Route',
      },
      Route: {
        Type: 'Choice',
        Comment: 'CallModel decided; this only follows. One transition, whatever the number of tools.',
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
        Comment: 'The run has nothing left to do, or the next segment has it. Which of the two is in the table.',
      },
    },
  };
}

/** A bad tool never fails a run: what its state gave up on goes to the model, which decides what to do about it. */
const tellModel = {
  Comment: 'The retriers are exhausted. The model reads why, as the result of its call.',
  ErrorEquals: ['States.ALL'],
  ResultPath: '$.error',
  Next: 'CallModel',
};
