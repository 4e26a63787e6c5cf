import { startRetriers } from './retriers';
import type { State } from './states';

/**
 * Goes on in another execution of the same machine, named by `$.execution`, so that the event history stays bounded however
 * long it takes.
 */
export const continueAsNew = (Input: Record<string, string>): State => ({
  Type: 'Task',
  Comment: 'Goes on in another execution, so that the event history stays bounded however long it takes.',
  Resource: 'arn:aws:states:::states:startExecution',
  Parameters: { 'StateMachineArn.$': '$$.StateMachine.Id', 'Name.$': '$.execution', Input },
  ResultPath: null,
  TimeoutSeconds: 60,
  Retry: startRetriers,
  Catch: [
    {
      Comment: 'It exists already, or the stream starts it: the hand-over was committed before this execution ended.',
      ErrorEquals: ['States.ALL'],
      ResultPath: '$.error',
      Next: 'Done',
    },
  ],
  Next: 'Done',
});
