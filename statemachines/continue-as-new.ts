import { startRetriers } from './retriers';
import { integrations, type State } from './states';

/**
 * Starts another execution of the same machine, named `$.execution`, which keeps the event history of each execution
 * bounded.
 */
export const continueAsNew = (Input: Record<string, string>): State => ({
  Type: 'Task',
  Comment: 'Continues in another execution, which keeps the event history bounded.',
  Resource: integrations.startExecution,
  Parameters: { 'StateMachineArn.$': '$$.StateMachine.Id', 'Name.$': '$.execution', Input },
  ResultPath: null,
  TimeoutSeconds: 60,
  Retry: startRetriers,
  Catch: [
    {
      Comment: 'The execution exists already, or Relay starts it: the hand-over is committed before this state.',
      ErrorEquals: ['States.ALL'],
      ResultPath: '$.error',
      Next: 'Done',
    },
  ],
  Next: 'Done',
});
