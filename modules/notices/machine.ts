import { patientRetriers } from '../../statemachines/retriers';
import { integrations, type StateMachineDefinition } from '../../statemachines/states';

/**
 * The definition of a notice, which reaches a user's devices. `${Notify}` stands for an ARN. The payload is a `Notice` (`notice.ts`), which has
 * ids only; Notify's answer replaces it.
 */
export const notice: StateMachineDefinition = {
  Comment:
    'Delivers a notice to the devices of its user, after their quiet hours. Input: {id, user, kind, conversationId, timerId, callbackId, ' +
    'readSeq, at}. Ends at Done when each device has had it, or when it is of no interest any more.',
  StartAt: 'Notify',
  States: {
    Notify: {
      Type: 'Task',
      Comment: 'Sends the notice to each device that has not had it, or returns when the quiet hours end.',
      Resource: integrations.invoke,
      Parameters: { FunctionName: '${Notify}', 'Payload.$': '$' },
      OutputPath: '$.Payload',
      TimeoutSeconds: 60,
      Retry: patientRetriers,
      Catch: [
        {
          Comment: 'Retried for a day. A later notification would be of no use.',
          ErrorEquals: ['States.ALL'],
          ResultPath: '$.error',
          Next: 'Failed',
        },
      ],
      Next: 'RouteNotice',
    },
    RouteNotice: {
      Type: 'Choice',
      Comment: 'Follows the decision of Notify.',
      Choices: [{ Variable: '$.next', StringEquals: 'wait', Next: 'WaitUntilQuietHoursEnd' }],
      Default: 'Done',
    },
    WaitUntilQuietHoursEnd: {
      Type: 'Wait',
      Comment: 'Waits until the user may be disturbed. Nothing runs and nothing is billed.',
      TimestampPath: '$.until',
      Next: 'Notify',
    },
    Failed: {
      Type: 'Fail',
      Comment: 'A device could not be reached for a day.',
      ErrorPath: '$.error.Error',
      CausePath: '$.error.Cause',
    },
    Done: { Type: 'Succeed', Comment: 'Nothing is left to deliver.' },
  },
};
