import * as z from 'zod';
import { readModelJson } from '../../core/base/json/foreign-json';
import { parseInput } from '../../core/base/schemas/parse-input';
import type { InvalidInput } from '../../core/base/text/errors';
import { problemsIn } from '../../core/base/text/problems';
import { longestDelaySeconds } from '../../core/base/time/rule';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool, type Tool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { cancelOwnTimer } from './timers';

export const runLater = defineTool({
  name: 'run_later',
  title: 'Do it later',
  description:
    'Schedules a call of one of your other tools after a delay, with the arguments that you give now, and returns at once. You read ' +
    'the result after the call. If the tool needs approval, the user is asked then.',
  input: z.object({
    tool: z.string().max(50).describe('The name of the tool'),
    arguments: z.string().max(20_000).describe('Its arguments: a JSON object, as text'),
    delay_seconds: z
      .number()
      .int()
      .positive()
      .max(longestDelaySeconds)
      .describe('The delay in seconds from now, more than 0'),
  }),
  output: z.object({ scheduled: z.string(), at: z.iso.datetime(), timer_id: z.string() }),
  effect: 'table',
  // The timer keeps the sources, and so does the run that it starts.
  afterUntrusted: () => 'allow',
  check: ({ tool: name, arguments: text }, tools) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool || tool.name === 'run_later') return `there is no tool "${name}" that can be called later`;
    return argumentsProblem(tool, text);
  },
  needs: { partitions: ['N#'] },
  async execute({ tool, arguments: text, delay_seconds }, { now, callId }) {
    const at = new Date(now.getTime() + delay_seconds * 1_000);
    return tableEffect({
      output: { scheduled: tool, at: at.toISOString(), timer_id: callId },
      timer: { kind: 'tool', at, tool, arguments: readModelJson(text, 'arguments') as object },
    });
  },
  compensate: (_input, _output, context) => cancelOwnTimer(context),
});

function argumentsProblem({ input, name }: Tool, text: string): string | undefined {
  let args: unknown;
  try {
    args = readModelJson(text, 'arguments');
  } catch (error) {
    const { path, message } = error as InvalidInput;
    return `${path}: ${message}`;
  }
  const parsed = parseInput(input, args);
  return parsed.success ? undefined : `the arguments do not fit ${name}: ${problemsIn(parsed.error, 'arguments')}`;
}

export const handler = serveTool(runLater);
