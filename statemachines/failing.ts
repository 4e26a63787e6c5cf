import { settleRetriers } from './retriers';
import { type Catcher, integrations, type State } from './states';

/** The segment has nothing left to try. The error stays in `$.error` to the end, next to the ids of the run. */
export const settleFirst: Catcher = {
  Comment: 'All retries failed, or the error is permanent. The run ends with the reason before the execution fails.',
  ErrorEquals: ['States.ALL'],
  ResultPath: '$.error',
  Next: 'Settle',
};

/**
 * The states of a failing segment. Settle first ends the run in the table, so users see the reason without waiting for EventBridge,
 * which delivers status changes on a best-effort basis. EventBridge covers what no state can report: an execution that
 * was aborted, timed out or failed where nothing catches the error.
 *
 * Settle returns the error in plain words, always with name and cause, and Failed reads these. If Settle cannot be
 * reached, Failed reads the caught error. Some engines omit its cause. Failed then fails because of the missing path,
 * which also ends the execution as failed, and the rule reports it.
 */
export const failingStates: Record<'NoSuchRoute' | 'Settle' | 'Failed', State> = {
  NoSuchRoute: {
    Type: 'Pass',
    Comment: 'CallModel and this definition are of different versions. Stopping is safer than guessing.',
    Result: {
      Error: 'ConfigurationError',
      Cause:
        'CallModel returned a `next` that this state machine does not know: they are of different versions. ' +
        'Deploy again and retry the run; it continues from where it stopped.',
    },
    ResultPath: '$.error',
    Next: 'Settle',
  },
  Settle: {
    Type: 'Task',
    Comment: 'Ends the run in the table with the reason. A second invocation changes nothing.',
    Resource: integrations.invoke,
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
        Comment: 'Keeps the original error. The EventBridge rule invokes Settle again when the execution has failed.',
        ErrorEquals: ['States.ALL'],
        ResultPath: '$.unsettled',
        Next: 'Failed',
      },
    ],
    Next: 'Failed',
  },
  Failed: {
    Type: 'Fail',
    Comment: 'The run has failed, and its row says why. A retry continues from the step where it stopped.',
    ErrorPath: '$.error.Error',
    CausePath: '$.error.Cause',
  },
};
