import type { Tool } from '../core/conversations/agent/tool';
import { burstSeconds } from '../core/machines/loop/burst';
import { callStates, grace, modelTimeoutSeconds, type Place, tellModel, toolChoices } from './call-states';
import { failingStates } from './failing';
import { briefModelRetriers, permanent } from './retriers';
import { runTools } from './run-tools';
import type { State, StateMachineDefinition } from './states';

/** CallModel then reads from the table how far the burst has come. */
const burstEndedAt = "'burstEndedAt': $states.context.State.EnteredTime";

/**
 * A request that Step Functions has rejected has started nothing: it was throttled, or a deployment has removed the machine. The name of
 * the error does not tell this from a failure of the service, which may have started the burst; its text has the status of the answer.
 */
const wait = `$contains($states.errorOutput.Cause, 'Status Code: 4') ? 0 : ${burstSeconds}`;

/**
 * The states of the Standard loop that start a burst, an execution of the Express machine `${AgentBurst}`. AWS starts a synchronous Express
 * execution at most once, and does not stop it when nobody waits for it any more.
 */
export const burst: Record<'Burst' | 'AwaitBurst', State> = {
  Burst: {
    Type: 'Task',
    Comment:
      'Makes as many steps as it can in an Express execution. Its output is that of a burst that has ended the run, which ends this ' +
      'execution, too. A burst that has left something, has failed or has timed out has no such output; that is an error, and CallModel ' +
      'continues. There is no Retry: it could start a second burst beside the first.',
    QueryLanguage: 'JSONata',
    Resource: 'arn:aws:states:::aws-sdk:sfn:startSyncExecution',
    Arguments: { StateMachineArn: '${AgentBurst}', Input: '{% $string($states.input) %}' },
    Output: "{% $parse($states.result.Output)[next = 'done'] %}",
    TimeoutSeconds: burstSeconds + grace,
    Catch: [
      {
        Comment: 'The burst has ended, and the run has not.',
        ErrorEquals: ['States.QueryEvaluationError'],
        Output: `{% $merge([$states.input, {${burstEndedAt}}]) %}`,
        Next: 'CallModel',
      },
      {
        Comment: 'Step Functions has refused to start the burst; or its answer is lost, and it may still run.',
        ErrorEquals: ['States.ALL'],
        Output: `{% $merge([$states.input, {${burstEndedAt}, 'wait': ${wait}}]) %}`,
        Next: 'AwaitBurst',
      },
    ],
    End: true,
  },
  AwaitBurst: {
    Type: 'Wait',
    Comment:
      'Waits for as long as a burst can run, if one may still run. To continue beside it would interrupt its tools.',
    SecondsPath: '$.wait',
    Next: 'CallModel',
  },
};

/**
 * Returns the definition of a burst: the states of the loop that need no long wait. CallModel gets the time of its beginning. It routes to
 * Left what might not end within the burst. If CallModel fails, the burst fails, and the Standard execution tries again.
 */
export function agentBurst(tools: Tool[]): StateMachineDefinition {
  const inBurst: Place = {
    ...{ leave: { Next: 'CallModel' }, catcher: tellModel('CallModel') },
    ...{ rename: (state) => state, isExpress: true },
  };
  const { Settle, Failed } = failingStates;
  return {
    Comment:
      'A burst: steps of a segment, for at most five minutes. Input: the payload of the agent loop. Its output has `next`: `done` if the ' +
      'run is over; anything else continues in the Standard execution that has started it.',
    StartAt: 'CallModel',
    TimeoutSeconds: burstSeconds,
    States: {
      CallModel: {
        Type: 'Task',
        Comment:
          'As in the loop. It knows when the burst began, and answers `leave-burst` if there is not enough time.',
        QueryLanguage: 'JSONata',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: {
          FunctionName: '${CallModel}',
          Payload: "{% $merge([$states.input, {'burst': $states.context.Execution.StartTime}]) %}",
        },
        Output: '{% $states.result.Payload %}',
        TimeoutSeconds: modelTimeoutSeconds + grace,
        Retry: briefModelRetriers,
        Catch: [
          {
            Comment: 'The error is permanent. The run ends with the reason; both executions fail.',
            ErrorEquals: permanent,
            Output: "{% $merge([$states.input, {'error': $states.errorOutput}]) %}",
            Next: 'Settle',
          },
        ],
        Next: 'Route',
      },
      Route: {
        Type: 'Choice',
        Comment: 'Follows the decision of CallModel. Transitions of an Express execution cost nothing.',
        Choices: [
          { Variable: '$.next', StringEquals: 'done', Next: 'Done' },
          ...toolChoices(tools, '$.next', inBurst.rename),
          { Variable: '$.next', StringEquals: 'many', Next: 'RunTools' },
          { Variable: '$.next', StringEquals: 'again', Next: 'CallModel' },
        ],
        Default: 'Left',
      },
      ...callStates(tools, inBurst),
      RunTools: runTools(tools, 'CallModel', true),
      Settle,
      Failed,
      Left: {
        Type: 'Succeed',
        Comment: 'A wait, a callback, a hand-over, a tool that this definition lacks, or too little time.',
      },
      Done: { Type: 'Succeed', Comment: 'The run is over, or this segment is. The table says which.' },
    },
  };
}
