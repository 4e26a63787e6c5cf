import type { Construct } from 'constructs';
import type { FunctionTool } from '../core/tool';
import { functionId } from '../statemachines/function-id';
import type { ConversationTable } from './conversation-table';
import type { Settings } from './settings';
import { VigilFunction } from './vigil-function';

export interface ToolFunctionsProps {
  tools: FunctionTool[];
  bundles: string;
  table: ConversationTable;
  environment: Record<string, string>;
  settings: Settings;
}

/** One function for each function tool, with a role, a timeout and a memory size of its own; by the construct's id. */
export function toolFunctions(scope: Construct, props: ToolFunctionsProps): Record<string, VigilFunction> {
  const { tools, bundles, table, environment, settings } = props;
  const functions: Record<string, VigilFunction> = {};
  for (const tool of tools) {
    const id = functionId(tool.name);
    const needs = outside[tool.name]?.(settings);
    const fn = new VigilFunction(scope, id, {
      description: `The tool ${tool.name}`,
      bundles,
      timeoutSeconds: tool.timeoutSeconds,
      memoryMiB: tool.memoryMiB,
      environment: { ...environment, ...needs?.environment },
    });
    table.grant(fn, 'GetItem', 'Query', 'PutItem', 'UpdateItem');
    needs?.grant(fn);
    functions[id] = fn;
  }
  return functions;
}

interface Needs {
  environment: Record<string, string>;
  grant(fn: VigilFunction): void;
}

/** What a tool needs beyond the table: a tool that is not here reaches nothing else. */
const outside: Record<string, (settings: Settings) => Needs> = {
  reminder: ({ reminderTopicArn }) => ({
    environment: { REMINDER_TOPIC_ARN: reminderTopicArn },
    grant: (fn) => {
      if (reminderTopicArn) fn.allow([reminderTopicArn], 'sns:Publish');
    },
  }),
};
