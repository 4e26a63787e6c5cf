import { continueAsNew } from './continue-as-new';
import { patientRetriers } from './retriers';
import type { StateMachineDefinition } from './states';

/**
 * What comes into a conversation later. `${FireTimer}` stands for an ARN. The payload is core's `TimerInput`; FireTimer's
 * answer replaces it.
 */
export const timer: StateMachineDefinition = {
  Comment:
    'Waits until a timer is due, fires it into its conversation, and again if it recurs. Input: {conversationId, timerId, segment, ' +
    'at}. Ends at Done when the timer has fired for the last time, is cancelled, or goes on in another execution.',
  StartAt: 'WaitUntilDue',
  States: {
    WaitUntilDue: {
      Type: 'Wait',
      Comment: 'Nothing runs and nothing is billed until then.',
      TimestampPath: '$.at',
      Next: 'FireTimer',
    },
    FireTimer: {
      Type: 'Task',
      Comment: 'Puts the message into the conversation, once, and says when the next time is.',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: { FunctionName: '${FireTimer}', 'Payload.$': '$' },
      OutputPath: '$.Payload',
      TimeoutSeconds: 60,
      Retry: patientRetriers,
      Catch: [
        {
          Comment: 'Tried for a day. The rule tells Settle, which shows the timer as cancelled.',
          ErrorEquals: ['States.ALL'],
          ResultPath: '$.error',
          Next: 'Failed',
        },
      ],
      Next: 'RouteTimer',
    },
    RouteTimer: {
      Type: 'Choice',
      Comment: 'FireTimer decided; this only follows.',
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
    Done: { Type: 'Succeed', Comment: 'The timer has nothing left to do, or another execution has it.' },
  },
};
