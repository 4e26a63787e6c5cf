import { continueAsNew } from './continue-as-new';
import { patientRetriers } from './retriers';
import { integrations, type StateMachineDefinition } from './states';

/**
 * The definition of a timer, which puts messages into a conversation later. `${Settle}` stands for an ARN. The payload is
 * core's `TimerInput`; the answer of the state FireTimer replaces it.
 */
export const timer: StateMachineDefinition = {
  Comment:
    'Waits until a timer is due and fires it into its conversation; repeats if it recurs. Input: {conversationId, timerId, segment, ' +
    'at}. Ends at Done when the timer has fired for the last time, is cancelled, or continues in another execution.',
  StartAt: 'WaitUntilDue',
  States: {
    WaitUntilDue: {
      Type: 'Wait',
      Comment: 'Waits until the timer is due. Nothing runs and nothing is billed.',
      TimestampPath: '$.at',
      Next: 'FireTimer',
    },
    FireTimer: {
      Type: 'Task',
      Comment: 'Puts the message into the conversation, once, and returns the time of the next firing.',
      Resource: integrations.invoke,
      Parameters: { FunctionName: '${Settle}', Payload: { 'timer.$': '$' } },
      OutputPath: '$.Payload',
      TimeoutSeconds: 60,
      Retry: patientRetriers,
      Catch: [
        {
          Comment: 'Retried for a day. The EventBridge rule invokes Settle, which marks the timer as cancelled.',
          ErrorEquals: ['States.ALL'],
          ResultPath: '$.error',
          Next: 'Failed',
        },
      ],
      Next: 'RouteTimer',
    },
    RouteTimer: {
      Type: 'Choice',
      Comment: 'Follows the decision of FireTimer.',
      Choices: [
        { Variable: '$.next', StringEquals: 'wait', Next: 'WaitUntilDue' },
        { Variable: '$.next', StringEquals: 'continue', Next: 'ContinueAsNew' },
      ],
      Default: 'Done',
    },
    ContinueAsNew: continueAsNew({
      'conversationId.$': '$.conversationId',
      'timerId.$': '$.timerId',
      'segment.$': '$.segment',
      'at.$': '$.at',
    }),
    Failed: {
      Type: 'Fail',
      Comment: 'The timer could not be fired.',
      ErrorPath: '$.error.Error',
      CausePath: '$.error.Cause',
    },
    Done: { Type: 'Succeed', Comment: 'The timer is over, or it continues in another execution.' },
  },
};
