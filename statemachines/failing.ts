import { settleRetriers } from './retriers';
import type { Catcher, State } from './states';

/** Nothing is left to try in this segment. The error stays in `$.error` to the end, beside the ids of the run. */
export const settleFirst: Catcher = {
  Comment: 'Tried as often as it may be, or hopeless. The run is ended with the reason before the execution fails.',
  ErrorEquals: ['States.ALL'],
  ResultPath: '$.error',
  Next: 'Settle',
};

/**
 * How a segment fails. Settle ends the run in the table first, so that a person learns of it from the machine itself:
 * EventBridge delivers status changes as best it can, and is left with what no state can report (an execution that was
 * aborted, ran out of time, or failed where nothing catches).
 *
 * Settle answers with the error in plain words, name and cause both there, which is what Failed reads. If Settle cannot
 * be reached, Failed reads what was caught. An engine may leave out a cause there; Failed then fails by the missing path
 * instead, which still ends the execution as failed and lets the rule speak.
 */
export const failingStates: Record<'NoSuchRoute' | 'Settle' | 'Failed', State> = {
  NoSuchRoute: {
    Type: 'Pass',
    Comment: 'CallModel and this definition do not belong together. To guess would be worse than to stop.',
    Result: {
      Error: 'ConfigurationError',
      Cause:
        'CallModel answered with a `next` that this state machine does not know: they are of different versions. ' +
        'Deploy again and retry the run; it goes on from where it stopped.',
    },
    ResultPath: '$.error',
    Next: 'Settle',
  },
  Settle: {
    Type: 'Task',
    Comment: 'Ends the run with the reason, in the table. Told twice, it changes nothing.',
    Resource: 'arn:aws:states:::lambda:invoke',
    Parameters: {
      FunctionName: '${Settle}',
      Payload: {
        'conversationId.$': '$.conversationId',
        'runId.$': '$.runId',
        'segment.$': '$.segment',
        'step.$': '$.step',
        'error.$': '$.error',
      },
    },
    ResultSelector: { 'Error.$': '$.Payload.Error', 'Cause.$': '$.Payload.Cause' },
    ResultPath: '$.error',
    TimeoutSeconds: 60,
    Retry: settleRetriers,
    Catch: [
      {
        Comment:
          'Beside the error that counts, not over it. The rule tells Settle again when the execution has failed.',
        ErrorEquals: ['States.ALL'],
        ResultPath: '$.unsettled',
        Next: 'Failed',
      },
    ],
    Next: 'Failed',
  },
  Failed: {
    Type: 'Fail',
    Comment: 'The run has failed, and its row says why. It can be retried: it goes on from the step where it stopped.',
    ErrorPath: '$.error.Error',
    CausePath: '$.error.Cause',
  },
};
