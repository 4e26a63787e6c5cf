// The scenarios as state machines, and the functions behind their Task states. `C` is the peers' lib/common.mjs, with
// its constants and mocks.

const fn = (name) => `arn:aws:lambda:us-east-1:123456789012:function:${name}`;

/**
 * The agent's loop is in the definition, and the tool's result carries the round. The 2 x ITER Task states are as many
 * durable steps.
 */
export const definitions = (C) => ({
  agent: {
    StartAt: 'Model',
    States: {
      Model: { Type: 'Task', Resource: fn('model'), ResultPath: '$.model', Next: 'Decide' },
      Decide: {
        Type: 'Choice',
        Choices: [{ Variable: '$.model.tool', StringEquals: 'lookup', Next: 'Tool' }],
        Default: 'Done',
      },
      Tool: { Type: 'Task', Resource: fn('tool'), ResultPath: '$.tool', Next: 'More' },
      More: {
        Type: 'Choice',
        Choices: [{ Variable: '$.tool.i', NumericLessThan: C.ITER - 1, Next: 'Model' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
    },
  },
  sleeper: {
    StartAt: 'Model',
    States: {
      Model: { Type: 'Task', Resource: fn('model'), ResultPath: '$.model', Next: 'Sleep' },
      Sleep: { Type: 'Wait', Seconds: C.SLEEP_MS / 1000, End: true },
    },
  },
  human: {
    StartAt: 'Ask',
    States: {
      Ask: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
        Parameters: { FunctionName: 'ask', Payload: { 'token.$': '$$.Task.Token' } },
        End: true,
      },
    },
  },
});

/**
 * The functions behind the Task states, by the name that the engine uses. `asked` receives the token of a human's
 * answer.
 */
export const functions = (C, asked) => ({
  [fn('model')]: (input) => C.llm((input.tool?.i ?? -1) + 1),
  [fn('tool')]: (input) => C.tool(input.model.i),
  ask: ({ token }) => void asked(token),
});
