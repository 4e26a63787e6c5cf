import type { Tool } from '../core/conversations/agent/tool';
import { awaitApproval, callChoices, callStates, noSuchTool } from './call-states';
import type { MapState } from './states';

/** Runs several calls of one step at once. Each costs two transitions: its route and its state. */
export function runTools(tools: Tool[]): MapState {
  const rename = (state: string) => `${state} (parallel)`;
  const ended = { End: true as const, OutputPath: '$.call' };
  const catcher = {
    Comment: 'The error goes into this call alone. The other calls continue.',
    ErrorEquals: ['States.ALL'],
    ResultPath: '$.call.error',
    Next: 'GaveUp (parallel)',
  };
  return {
    Type: 'Map',
    Comment:
      'Runs several calls of a step at the same time, and returns the id and the outcome of each. It has no waits: a ' +
      'message could not wake them here, and the failure of another call would be reported only after the sleep. ' +
      'CallModel routes a wait to Sleep afterwards.',
    ItemsPath: '$.calls',
    ItemSelector: {
      'conversationId.$': '$.conversationId',
      'runId.$': '$.runId',
      'call.$': '$$.Map.Item.Value',
    },
    MaxConcurrency: 0,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'INLINE' },
      StartAt: 'Route (parallel)',
      States: {
        'Route (parallel)': {
          Type: 'Choice',
          Comment: 'Functions and callbacks, as in the loop. Waits follow after the Map.',
          Choices: [
            ...callChoices(tools, '$.call.next', rename, 'AwaitApproval (parallel)'),
            { Variable: '$.call.next', StringEquals: 'served', Next: 'Refused (parallel)' },
          ],
          Default: 'NoSuchTool (parallel)',
        },
        ...callStates(tools, { leave: ended, catcher, rename }),
        'AwaitApproval (parallel)': awaitApproval(catcher, 'Route (parallel)'),
        'Refused (parallel)': {
          // Not Succeed: cfn-lint, which checks templates in many pipelines, knows no OutputPath there.
          Type: 'Pass',
          Comment: 'Ends a call that was not approved. Its row says why.',
          ...ended,
        },
        'GaveUp (parallel)': {
          Type: 'Pass',
          Comment: 'Ends a call that failed, with the error in its outcome.',
          ...ended,
        },
        'NoSuchTool (parallel)': { ...noSuchTool, ResultPath: '$.call.error', ...ended },
      },
    },
    ResultPath: '$.calls',
    Next: 'CallModel',
  };
}
