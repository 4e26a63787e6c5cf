import type { FunctionTool, Tool } from '../core/conversations/agent/tool';
import { invokeTool } from './call-states';
import { continueAsNew } from './continue-as-new';
import { patientRetriers } from './retriers';
import { integrations, type State, type StateMachineDefinition } from './states';

/**
 * Returns the definition of the rollback of a run. `${Settle}`, `${RunIsolated}` and one placeholder per other
 * function tool stand for ARNs.
 * The payload is core's `RollbackInput`; the answer of the state NextUndo replaces it.
 */
export function rollback(tools: Tool[]): StateMachineDefinition {
  const undoable = tools.filter((tool): tool is FunctionTool => tool.kind === 'function' && !!tool.compensate);
  const states: Record<string, State> = {};
  for (const tool of undoable) states[`Undo ${tool.name}`] = undo(tool);
  return {
    Comment:
      'Rolls a run back: undoes the effects of its calls one by one, newest first, then cancels the run. ' +
      'Input: {conversationId, runId, segment, at}. A failed run is held until `at`, and is not rolled back if it was retried by then.',
    StartAt: 'Hold',
    States: {
      Hold: {
        Type: 'Wait',
        Comment: 'A failed run can be retried until `at`. For a cancelled run, `at` has passed already.',
        TimestampPath: '$.at',
        Next: 'NextUndo',
      },
      NextUndo: {
        Type: 'Task',
        Comment:
          'Chooses the newest call that still has to be undone. It reads the table, so it continues after any crash.',
        Resource: integrations.invoke,
        Parameters: { FunctionName: '${Settle}', Payload: { 'rollback.$': '$' } },
        OutputPath: '$.Payload',
        TimeoutSeconds: 60,
        Retry: patientRetriers,
        Catch: [
          {
            Comment: 'Retried for a day. The EventBridge rule invokes Settle, which records what is not undone.',
            ErrorEquals: ['States.ALL'],
            ResultPath: '$.error',
            Next: 'Failed',
          },
        ],
        Next: 'RouteUndo',
      },
      RouteUndo: {
        Type: 'Choice',
        Comment: 'Follows the decision of NextUndo.',
        Choices: [
          ...undoable.map(({ name }) => ({ Variable: '$.next', StringEquals: `undo:${name}`, Next: `Undo ${name}` })),
          { Variable: '$.next', StringEquals: 'wait', Next: 'LetFinish' },
          { Variable: '$.next', StringEquals: 'continue', Next: 'ContinueAsNew' },
          { Variable: '$.next', StringMatches: 'undo:*', Next: 'CannotUndo' },
        ],
        Default: 'Done',
      },
      ...states,
      CannotUndo: {
        Type: 'Pass',
        Comment: 'The compensation was deployed after this execution started. The call is recorded as not undone.',
        Result: { Error: 'NoSuchTool', Cause: 'This rollback started before the tool had a compensation.' },
        ResultPath: '$.error',
        Next: 'NextUndo',
      },
      LetFinish: {
        Type: 'Wait',
        Comment: 'A call was running when the run was cancelled. Its effect is known when its timeout is over.',
        TimestampPath: '$.until',
        Next: 'NextUndo',
      },
      ContinueAsNew: continueAsNew({
        'conversationId.$': '$.conversationId',
        'runId.$': '$.runId',
        'segment.$': '$.segment',
        'at.$': '$$.State.EnteredTime',
      }),
      Failed: {
        Type: 'Fail',
        Comment: 'The rollback could not continue.',
        ErrorPath: '$.error.Error',
        CausePath: '$.error.Cause',
      },
      Done: {
        Type: 'Succeed',
        Comment: 'Everything that can be undone is undone. The rows of other calls say why not.',
      },
    },
  };
}

const undo = (tool: FunctionTool): State => ({
  ...invokeTool(tool, {
    'conversationId.$': '$.conversationId',
    'runId.$': '$.runId',
    'callId.$': '$.call.callId',
    undo: true,
  }),
  Comment: `Undoes a call of ${tool.name}, with the retries and the timeout of the tool itself. A second undo changes nothing.`,
  Catch: [
    {
      Comment: 'All retries failed. NextUndo records why, and continues with the other calls.',
      ErrorEquals: ['States.ALL'],
      ResultPath: '$.error',
      Next: 'NextUndo',
    },
  ],
  Next: 'NextUndo',
});
