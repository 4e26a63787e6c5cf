import type { Construct } from 'constructs';
import type { FunctionTool } from '../core/tool';
import { functionId } from '../statemachines/function-id';
import { ApiKey } from './api-key';
import type { ConversationTable } from './conversation-table';
import type { Settings } from './settings';
import { VigilFunction } from './vigil-function';
import type { WebhookKey } from './webhook-key';

export interface ToolFunctionsProps {
  tools: FunctionTool[];
  bundles: string;
  table: ConversationTable;
  environment: Record<string, string>;
  settings: Settings;
  webhookKey: WebhookKey;
  /** Where outside systems deliver to. */
  apiUrl: string;
}

/** One function for each function tool, with a role, a timeout and a memory size of its own; by the construct's id. */
export function toolFunctions(scope: Construct, props: ToolFunctionsProps): Record<string, VigilFunction> {
  const { tools, bundles, table, environment, settings, webhookKey, apiUrl } = props;
  const functions: Record<string, VigilFunction> = {};
  for (const tool of tools) {
    const id = functionId(tool.name);
    const needs = outside[tool.name]?.(settings, scope);
    const fn = new VigilFunction(scope, id, {
      description: `The tool ${tool.name}`,
      bundles,
      timeoutSeconds: tool.timeoutSeconds,
      memoryMiB: tool.memoryMiB,
      environment: {
        ...environment,
        ...(tool.webhook && { API_URL: apiUrl, WEBHOOK_KEY_SECRET_ARN: webhookKey.arn }),
        ...needs?.environment,
      },
    });
    table.grant(fn, 'GetItem', 'Query', 'PutItem', 'UpdateItem');
    if (tool.webhook) webhookKey.grantRead(fn);
    needs?.grant(fn);
    functions[id] = fn;
  }
  return functions;
}

interface Needs {
  environment: Record<string, string>;
  grant(fn: VigilFunction): void;
}

/** What a tool needs beyond the table: a tool that is not here reaches nothing else of the account. */
const outside: Record<string, (settings: Settings, scope: Construct) => Needs> = {
  reminder: ({ reminderTopicArn }) => ({
    environment: { REMINDER_TOPIC_ARN: reminderTopicArn },
    grant: (fn) => {
      if (reminderTopicArn) fn.allow([reminderTopicArn], 'sns:Publish');
    },
  }),
  internet_search({ serperBaseUrl }, scope) {
    const key = new ApiKey(scope, 'SerperKey', {
      variable: 'SERPER_API_KEY',
      of: 'The API key of Serper, the web search',
    });
    return {
      environment: { SERPER_BASE_URL: serperBaseUrl, SERPER_KEY_SECRET_ARN: key.arn },
      grant: (fn) => key.grantRead(fn),
    };
  },
  scrape_website({ browserlessBaseUrl }, scope) {
    const of = 'The token of Browserless, whose browser opens pages; without one they are fetched directly';
    const token = new ApiKey(scope, 'BrowserlessToken', { variable: 'BROWSERLESS_TOKEN', of });
    return {
      environment: { BROWSERLESS_BASE_URL: browserlessBaseUrl, BROWSERLESS_TOKEN_SECRET_ARN: token.arn },
      grant: (fn) => token.grantRead(fn),
    };
  },
};
