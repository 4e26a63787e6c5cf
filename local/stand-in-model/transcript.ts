import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';

/**
 * What OpenAI's server refuses with HTTP 400, checked here too, so that a transcript that would fail with a real model
 * fails with a stand-in: every tool call has exactly one result, right after the message that asked for it, and no
 * result comes without its call; strict schemas are closed and require every property.
 *
 * @returns the fault in words, or nothing when the request is good.
 */
export function faultIn(request: Partial<ChatCompletionCreateParams>): string | undefined {
  if (typeof request.model !== 'string' || !request.model) return 'you must provide a model parameter';
  if (!Array.isArray(request.messages) || !request.messages.length) return "Missing required parameter: 'messages'.";
  return messageFault(request.messages) ?? schemaFault(request.tools ?? []);
}

function messageFault(messages: ChatCompletionCreateParams['messages']): string | undefined {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) {
        return `Invalid parameter: messages[${index}] with role 'tool' must be a response to a preceding message with 'tool_calls' (${message.tool_call_id}).`;
      }
      continue;
    }
    if (open.size) break;
    if (message.role !== 'assistant') continue;
    if ((message.content ?? undefined) === undefined && !message.tool_calls?.length) {
      return `Invalid value for 'messages[${index}].content': expected a string, got null.`;
    }
    if (message.tool_calls && !message.tool_calls.length) {
      return `Invalid 'messages[${index}].tool_calls': empty array. Expected an array with minimum length 1.`;
    }
    for (const call of message.tool_calls ?? []) open.add(call.id);
  }
  if (!open.size) return undefined;
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`;
}

function schemaFault(tools: NonNullable<ChatCompletionCreateParams['tools']>): string | undefined {
  for (const tool of tools) {
    if (tool.type !== 'function' || !tool.function.strict) continue;
    const fault = closedObject(tool.function.parameters ?? {}, []);
    if (fault) return `Invalid schema for function '${tool.function.name}': ${fault}`;
  }
  return undefined;
}

function closedObject(schema: Record<string, unknown>, path: string[]): string | undefined {
  const where = `In context=(${path.map((part) => `'${part}'`).join(', ')})`;
  const properties = isRecord(schema.properties) ? schema.properties : {};
  if (schema.type === 'object') {
    if (schema.additionalProperties !== false) {
      return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = new Set(Array.isArray(schema.required) ? schema.required : []);
    const missing = Object.keys(properties).find((name) => !required.has(name));
    if (missing) return `${where}, 'required' must include every key in properties. Missing '${missing}'.`;
  }
  for (const [name, child] of Object.entries(properties)) {
    const fault = isRecord(child) && closedObject(child, [...path, 'properties', name]);
    if (fault) return fault;
  }
  return isRecord(schema.items) ? closedObject(schema.items, [...path, 'items']) : undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
