import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';

type Fault = string | undefined;

/**
 * Returns the error of a request that OpenAI would reject with HTTP 400, so that such a request fails with a stand-in,
 * too: every tool call needs exactly one result, right after its message; strict schemas are closed and require every
 * property.
 */
export function faultIn({ model, messages, tools = [] }: Partial<ChatCompletionCreateParams>): Fault {
  if (typeof model !== 'string' || !model) return 'you must provide a model parameter';
  if (!Array.isArray(messages) || !messages.length) return "Missing required parameter: 'messages'.";
  return messageFault(messages) ?? tools.map(toolFault).find((fault) => fault !== undefined);
}

function messageFault(messages: ChatCompletionCreateParams['messages']): Fault {
  const open = new Set<string>();
  for (const [index, message] of messages.entries()) {
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

function toolFault(tool: NonNullable<ChatCompletionCreateParams['tools']>[number]): Fault {
  const fault = tool.type === 'function' && tool.function.strict && openObject(tool.function.parameters ?? {});
  return fault ? `Invalid schema for function '${tool.function.name}': ${fault}` : undefined;
}

/** Returns where a schema has an object that is not closed, or a property that is not required. */
// biome-ignore lint/suspicious/noExplicitAny: a schema has any shape.
function openObject({ type, properties = {}, required = [], additionalProperties, items }: any, path = ''): Fault {
  const missing = Object.keys(properties).find((name) => !required.includes(name));
  if (type === 'object' && additionalProperties !== false)
    return `In context=(${path}), 'additionalProperties' is required to be supplied and to be false.`;
  if (type === 'object' && missing)
    return `In context=(${path}), 'required' must include every key in properties. Missing '${missing}'.`;
  const inside = (name: string) => openObject(properties[name], `${path}'properties', '${name}', `);
  return [...Object.keys(properties).map(inside), items && openObject(items, `${path}'items', `)].find(Boolean);
}
