import type { FunctionTool, Tool } from '../core/agent/tool';
import { invokeTool } from './call-states';
import { continueAsNew } from './continue-as-new';
import { patientRetriers } from './retriers';
import type { State, StateMachineDefinition } from './states';

/**
 * Undoes what a run did. `${NextUndo}` and one placeholder for each function tool stand for ARNs. The payload is core's
 * `RollbackInput`; NextUndo's answer replaces it.
 */
export function rollback(tools: Tool[]): StateMachineDefinition {
  const undoable = tools.filter((tool): tool is FunctionTool => tool.kind === 'function' && !!tool.compensate);
  const states: Record<string, State> = {};
  for (const tool of undoable) states[`Undo ${tool.name}`] = undo(tool);
  return {
    Comment:
      'Rolls a run back: the effects of its completed calls are undone one by one, the newest first; then the run is cancelled. ' +
      'Input: {conversationId, runId, segment, at}. A failed run is held until `at`, and left alone if it was retried by then.',
    StartAt: 'Hold',
    States: {
      Hold: {
        Type: 'Wait',
        Comment: 'A failed run can be retried until then. For a cancelled one it is past already.',
        TimestampPath: '$.at',
        Next: 'NextUndo',
      },
      NextUndo: {
        Type: 'Task',
        Comment: 'Chooses the newest call that is still to be undone, from the table: so it goes on after any crash.',
        Resource: 'arn:aws:states:::lambda:invoke',
        Parameters: { FunctionName: '${NextUndo}', 'Payload.$': '$' },
        OutputPath: '$.Payload',
        TimeoutSeconds: 60,
        Retry: patientRetriers,
        Catch: [
          {
            Comment: 'Tried for a day. The rule tells Settle, which writes down what is not undone.',
            ErrorEquals: ['States.ALL'],
            ResultPath: '$.error',
            Next: 'Failed',
          },
        ],
        Next: 'RouteUndo',
      },
      RouteUndo: {
        Type: 'Choice',
        Comment: 'NextUndo decided; this only follows.',
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
        Comment: 'The tool can be undone only since this execution started. It is written down as not undone.',
        Result: { Error: 'NoSuchTool', Cause: 'This rollback is older than the way to undo this.' },
        ResultPath: '$.error',
        Next: 'NextUndo',
      },
      LetFinish: {
        Type: 'Wait',
        Comment: 'A call was at work when the run was cancelled. What it did is known when its time is over.',
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
        Comment: 'The rollback could not go on.',
        ErrorPath: '$.error.Error',
        CausePath: '$.error.Cause',
      },
      Done: { Type: 'Succeed', Comment: 'All that can be undone is undone; what could not be says so in its row.' },
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
  Comment: `Undoes a call of ${tool.name}, with the patience of the tool itself. Undone twice, it changes nothing.`,
  Catch: [
    {
      Comment: 'Given up. NextUndo writes down why, and goes on with the others.',
      ErrorEquals: ['States.ALL'],
      ResultPath: '$.error',
      Next: 'NextUndo',
    },
  ],
  Next: 'NextUndo',
});
