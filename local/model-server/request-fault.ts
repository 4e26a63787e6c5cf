import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { chatContentFault } from './content-fault';
import { errorBody } from './listen';
import { anthropicToolFault, openaiFormatFault, openaiToolFault, type SchemaFault } from './tool-schemas';

type Fault = string | undefined;

/**
 * Returns the error of a request that OpenAI would reject with HTTP 400, so that such a request fails with a stand-in,
 * too: every tool call needs exactly one result, right after its message, and schemas are those that it accepts.
 */
export function faultIn(request: Partial<ChatCompletionCreateParams>): ReturnType<typeof errorBody> | undefined {
  const { model, messages } = request;
  if (typeof model !== 'string' || !model) return errorBody('you must provide a model parameter');
  if (!Array.isArray(messages) || !messages.length) return errorBody("Missing required parameter: 'messages'.");
  const fault = messageFault(messages);
  return fault ? errorBody(fault) : schemaFault(request);
}

function messageFault(messages: ChatCompletionCreateParams['messages']): Fault {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const fault = chatContentFault(message, `messages[${index}]`);
    if (fault) return fault;
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id)) continue;
      return `Invalid parameter: messages[${index}] with role 'tool' must be a response to a preceding message with 'tool_calls' (${message.tool_call_id}).`;
    }
    if (open.size) break;
    if (message.role !== 'assistant') continue;
    const { content, tool_calls: calls } = message;
    if (calls && !calls.length)
      return `Invalid 'messages[${index}].tool_calls': empty array. Expected an array with minimum length 1.`;
    if (!calls && (content ?? undefined) === undefined)
      return `Invalid value for 'messages[${index}].content': expected a string, got null.`;
    for (const { id } of calls ?? []) open.add(id);
  }
  if (!open.size) return undefined;
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
}

function schemaFault({ model = '', tools = [], response_format: format }: Partial<ChatCompletionCreateParams>) {
  // Claude's endpoint for this API ignores `strict`, and has the rules of Claude's own.
  const isClaude = /claude/.test(model);
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'function') continue;
    const { name, strict, parameters: schema = { type: 'object', properties: {} } } = tool.function;
    const asked = { name, strict, schema, at: isClaude ? String(index) : `tools[${index}].function` };
    const refusal = isClaude ? anthropicToolFault(asked) : openaiToolFault(asked);
    if (typeof refusal === 'string') return errorBody(refusal, 'invalid_request_error', 'invalid_request_error');
    if (refusal) return refusalBody(refusal);
  }
  if (format?.type !== 'json_schema' || isClaude) return undefined;
  const { name, strict, schema } = format.json_schema;
  const refusal = openaiFormatFault({ name, strict, schema }, 'response_format');
  return refusal && refusalBody(refusal);
}

export const refusalBody = ({ message, param, code }: SchemaFault) => ({
  error: { ...errorBody(message).error, param, code },
});
