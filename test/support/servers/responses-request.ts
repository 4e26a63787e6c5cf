import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import type { ResponseCreateParams, ResponseInputItem, Tool } from 'openai/resources/responses/responses';
import { dataUrlFault, takesImage, takesPdf } from '../../../local/model-server/content-fault';
import { errorBody } from '../../../local/model-server/listen';
import { refusalBody } from '../../../local/model-server/request-fault';
import { openaiFormatFault, openaiToolFault } from '../../../local/model-server/tool-schemas';

/** The allowed fields of a request. OpenAI rejects any other field, and so does this server. */
const known = new Set([
  'model',
  'instructions',
  'input',
  'stream',
  'store',
  'include',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'reasoning',
  'text',
  'temperature',
  'top_p',
  'prompt_cache_key',
  'metadata',
  'prompt_cache_options',
]);
const knownOf: Record<string, string[]> = {
  message: ['type', 'role', 'content', 'phase'],
  function_call: ['type', 'call_id', 'name', 'arguments'],
  function_call_output: ['type', 'call_id', 'output'],
  reasoning: ['type', 'id', 'summary', 'encrypted_content'],
  web_search_call: ['type', 'id', 'status', 'action'],
  file_search_call: ['type', 'id', 'status', 'queries', 'results'],
  code_interpreter_call: ['type', 'id', 'status', 'code', 'container_id', 'outputs'],
};
/** OpenAI's own tools: the fields that each takes and needs, and what a request may ask for beside its calls. */
const hostedOf: Record<string, { takes: string[]; needs: string[]; include?: string }> = {
  image_generation: { takes: ['model', 'size', 'quality', 'output_format', 'background'], needs: [] },
  web_search: {
    takes: ['filters', 'search_context_size', 'user_location'],
    needs: [],
    include: 'web_search_call.action.sources',
  },
  file_search: {
    takes: ['vector_store_ids', 'max_num_results'],
    needs: ['vector_store_ids'],
    include: 'file_search_call.results',
  },
  code_interpreter: { takes: ['container'], needs: ['container'], include: 'code_interpreter_call.outputs' },
};
const isHostedCall = (item: Item | undefined) =>
  /^(?:web_search|file_search|code_interpreter)_call$/.test(item?.type ?? '');
/** The id of a hosted call names the reasoning that led to it. */
export const hostedId = (number: number, index: number, thinks: boolean) =>
  `ws_${number}_${index}${thinks ? `_of_rs_${number}` : ''}`;

/** Whether the model returns encrypted reasoning, which only the same model can read. */
export const reasons = (model: string): boolean => /^(?:o\d|gpt-[5-9])/.test(model);
export const encrypted = (model: string, thought: string): string =>
  Buffer.from(JSON.stringify({ model, thought })).toString('base64');

/** Returns the error with which OpenAI would reject the request (HTTP 400), or undefined. */
export function faultOf(body: ResponseCreateParams): ReturnType<typeof errorBody> | undefined {
  const fault = requestFault(body);
  return fault ? errorBody(fault) : schemaFault(body);
}

function requestFault(body: ResponseCreateParams): string | undefined {
  const { model, input, include = [], tools = [], store } = body;
  const unknown = Object.keys(body).find((field) => !known.has(field));
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  if (!model) return "Missing required parameter: 'model'.";
  if (!Array.isArray(input) || input.length === 0) return "Missing required parameter: 'input'.";
  if (store !== false) return 'This server stores nothing: store must be false.';
  const cacheFault = faultOfCache(body);
  if (cacheFault) return cacheFault;
  if (include?.includes('reasoning.encrypted_content') && !reasons(model))
    return 'Encrypted content is not supported with this model.';
  const includable = ['reasoning.encrypted_content', ...Object.values(hostedOf).flatMap((one) => one.include ?? [])];
  const odd = include?.find((one) => !includable.includes(one));
  if (odd) return `Invalid value: '${odd}'.`;
  return (
    input.map((item, index) => faultOfItem(item, index, input, model)).find(Boolean) ??
    openCall(input) ??
    toolFault(tools)
  );
}

/** Models from GPT-5.6 on, whose writes are charged. Only they can be told not to write. */
export const chargesWrites = (model: string): boolean => /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/.test(model);

/** Of both APIs. */
export function faultOfCache(
  body: Pick<ResponseCreateParams, 'model' | 'prompt_cache_options' | 'prompt_cache_key'>,
): string | undefined {
  const { model = '', prompt_cache_options: options, prompt_cache_key: key } = body;
  if (!chargesWrites(model) && JSON.stringify(body).includes('"prompt_cache_breakpoint"'))
    return "Unsupported parameter: 'prompt_cache_breakpoint' is not supported with this model.";
  if (options && !chargesWrites(model))
    return "Unsupported parameter: 'prompt_cache_options' is not supported with this model.";
  if (key && key.length > 64)
    return `Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length ${key.length} instead.`;
  return undefined;
}

type Item = ResponseInputItem;

function faultOfItem(item: Item, index: number, input: Item[], model: string): string | undefined {
  const type = item.type ?? 'message';
  const fields = knownOf[type];
  if (!fields) return `Invalid value: '${type}'. Supported values are: ${Object.keys(knownOf).join(', ')}.`;
  const unknown = Object.keys(item).find((field) => !fields.includes(field));
  if (unknown) return `Unknown parameter: 'input[${index}].${unknown}'.`;
  const content = partsFault(item, `input[${index}]`);
  if (content) return content;
  if (item.type === 'function_call_output') {
    const asked = input.slice(0, index).some((one) => one.type === 'function_call' && one.call_id === item.call_id);
    return asked ? undefined : `No tool call found for function call output with call_id ${item.call_id}.`;
  }
  if (isHostedCall(item)) {
    const { id } = item as { id: string };
    const [, reasoning] = /_of_(rs_\d+)$/.exec(id) ?? [];
    const isThere = input.slice(0, index).some((one) => one.type === 'reasoning' && one.id === reasoning);
    return !reasoning || isThere
      ? undefined
      : `Item '${id}' of type '${item.type}' was provided without its required 'reasoning' item: '${reasoning}'.`;
  }
  if (item.type !== 'reasoning') return undefined;
  const next = input[index + 1];
  const leadsOn = isHostedCall(next) || next?.type === 'reasoning' || next?.type === 'function_call' || isAnswer(next);
  if (!leadsOn) return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
  return readable(item.encrypted_content, model)
    ? undefined
    : `The encrypted content for item ${item.id} could not be verified.`;
}

const partFields: Record<string, string[]> = {
  input_text: ['text'],
  input_image: ['image_url', 'detail'],
  input_file: ['filename', 'file_data'],
};

/** Users and results have texts, pictures and documents. The file's bytes come with the request, because this server stores none. */
function partsFault(item: Item, at: string): string | undefined {
  const content =
    item.type === 'function_call_output' ? item.output : 'content' in item && 'role' in item ? item.content : '';
  if (!Array.isArray(content)) return undefined;
  if (content.length === 0) return `Invalid '${at}.content': empty array.`;
  const parts = content as unknown as Record<string, unknown>[];
  for (const [index, { type, prompt_cache_breakpoint: _, ...fields }] of parts.entries()) {
    const place = `${at}.content[${index}]`;
    const known = Object.hasOwn(partFields, String(type)) ? partFields[String(type)] : undefined;
    if (!known || isAnswer(item)) return `Invalid value: '${type}' of '${place}.type'.`;
    const odd = Object.keys(fields).find((field) => !known.includes(field));
    if (odd) return `Unknown parameter: '${place}.${odd}'.`;
    const missing = known.find((field) => !fields[field]);
    if (missing) return `Missing required parameter: '${place}.${missing}'.`;
    const fault =
      type === 'input_image'
        ? dataUrlFault(fields.image_url, takesImage)
        : type === 'input_file'
          ? dataUrlFault(fields.file_data, takesPdf)
          : undefined;
    if (fault) return `Invalid '${place}.${type}': ${fault}.`;
  }
  return undefined;
}

const isAnswer = (item: Item | undefined): boolean => item !== undefined && 'role' in item && item.role === 'assistant';

function readable(content: string | null | undefined, model: string): boolean {
  try {
    return JSON.parse(Buffer.from(content ?? '', 'base64').toString()).model === model;
  } catch {
    return false;
  }
}

/** Checks that each call has its output before the next message. */
function openCall(input: Item[]): string | undefined {
  const open = new Set<string>();
  for (const item of input) {
    if (item.type === 'function_call') open.add(item.call_id);
    else if (item.type === 'function_call_output') open.delete(String(item.call_id));
    else if (item.type !== 'reasoning' && open.size > 0) break;
  }
  const [first] = open;
  return first && `No tool output found for function call ${first}.`;
}

function toolFault(tools: Tool[]): string | undefined {
  for (const [index, tool] of tools.entries()) {
    if (!Object.hasOwn(hostedOf, tool.type)) continue;
    const { takes, needs } = hostedOf[tool.type]!;
    const missing = needs.find((field) => !(tool as unknown as Record<string, unknown>)[field]);
    if (missing) return `Missing required parameter: 'tools[${index}].${missing}'.`;
    const odd = Object.keys(tool).find((field) => field !== 'type' && !takes.includes(field));
    if (odd) return `Unknown parameter: 'tools[${index}].${odd}'.`;
  }
  const wrong = tools.findIndex(
    (tool) => !Object.hasOwn(hostedOf, tool.type) && (tool.type !== 'function' || !tool.name),
  );
  return wrong < 0 ? undefined : `Missing required parameter: 'tools[${wrong}].name'.`;
}

function schemaFault({ tools = [], text }: ResponseCreateParams) {
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'function') continue;
    const { name, strict, parameters: schema } = tool;
    // The API is strict unless it is told otherwise.
    const refusal = openaiToolFault({ name, strict: strict ?? true, schema, at: `tools[${index}]` });
    if (refusal) return refusalBody(refusal);
  }
  if (text?.format?.type !== 'json_schema') return undefined;
  const { name, strict, schema } = text.format;
  const refusal = openaiFormatFault({ name, strict, schema }, 'text.format.schema');
  return refusal && refusalBody(refusal);
}

/** Returns the text of a content, or of its parts. */
const textIn = (content: unknown): string =>
  Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : String(content);

/** Converts the request to chat completions, for which scripts are written. */
export function asChat({ instructions, input, tools = [] }: ResponseCreateParams) {
  const messages: ChatCompletionMessageParam[] = instructions ? [{ role: 'system', content: instructions }] : [];
  for (const item of input as Item[]) {
    const last = messages.at(-1);
    if (item.type === 'function_call') {
      const { call_id: id, name, arguments: args } = item;
      const called = { id, type: 'function' as const, function: { name, arguments: args } };
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), called];
      else messages.push({ role: 'assistant', content: null, tool_calls: [called] });
    } else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: String(item.call_id), content: textIn(item.output) });
    else if ('content' in item && 'role' in item)
      messages.push({ role: item.role as 'user', content: textIn(item.content) });
  }
  const functions = tools.flatMap((tool): ChatCompletionTool[] => {
    if (tool.type !== 'function') return [];
    const { name, description, parameters, strict } = tool;
    return [
      { type: 'function', function: { name, description: description ?? '', parameters: parameters ?? {}, strict } },
    ];
  });
  const hostedTools = tools.filter(({ type }) => type !== 'function');
  return {
    messages,
    ...(functions.length > 0 && { tools: functions }),
    ...(hostedTools.length > 0 && { hostedTools }),
  };
}
