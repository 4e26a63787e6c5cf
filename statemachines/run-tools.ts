import type { Tool } from '../core/agent/tool';
import { awaitApproval, callChoices, callStates, noSuchTool } from './call-states';
import type { MapState } from './states';

/** Several calls of one step, at once. Each costs two transitions: its route and its state. */
export function runTools(tools: Tool[]): MapState {
  const rename = (state: string) => `${state} (parallel)`;
  const ended = { End: true as const, OutputPath: '$.call' };
  const catcher = {
    Comment: 'The error goes into this call alone. The others run on.',
    ErrorEquals: ['States.ALL'],
    ResultPath: '$.call.error',
    Next: 'GaveUp (parallel)',
  };
  return {
    Type: 'Map',
    Comment:
      'The calls of a step that asked for several, at the same time. Answers with one id and outcome for each. No wait is ' +
      'among them: nobody could wake it here, and a failure beside it would be heard of only when the sleep is over. ' +
      'CallModel hands it out afterwards, to Sleep.',
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
          Comment: 'Functions and callbacks as in the loop. Waits come after them.',
          Choices: [
            ...callChoices(tools, '$.call.next', rename, 'AwaitApproval (parallel)'),
            { Variable: '$.call.next', StringEquals: 'served', Next: 'Refused (parallel)' },
          ],
          Default: 'NoSuchTool (parallel)',
        },
        ...callStates(tools, { leave: ended, catcher, rename }),
        'AwaitApproval (parallel)': awaitApproval(catcher, 'Route (parallel)'),
        'Refused (parallel)': {
          Type: 'Succeed',
          Comment: 'Ends one call that was not approved. Its row says why.',
          OutputPath: '$.call',
        },
        'GaveUp (parallel)': {
          Type: 'Succeed',
          Comment: 'Ends one call that failed, with its error in its outcome.',
          OutputPath: '$.call',
        },
        'NoSuchTool (parallel)': { ...noSuchTool, ResultPath: '$.call.error', ...ended },
      },
    },
    ResultPath: '$.calls',
    Next: 'CallModel',
  };
}
