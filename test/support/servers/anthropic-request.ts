import type { IncomingHttpHeaders } from 'node:http';
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import { mediaFault, takesImage, takesPdf } from '../../../local/model-server/content-fault';
import { anthropicToolFault } from '../../../local/model-server/tool-schemas';

export type MessagesRequest = MessageCreateParamsStreaming;
export interface Fault {
  status: number;
  type: string;
  message: string;
}

type Block = Anthropic.ContentBlockParam;
type Thinking = NonNullable<MessagesRequest['thinking']>['type'];

/** Its requests have no temperature. */
const version = '2026-10-21';

const refused = (message: string): Fault => ({ status: 400, type: 'invalid_request_error', message });
const known = [
  'model',
  'max_tokens',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'stream',
  'stop_sequences',
  'metadata',
  'service_tier',
  'cache_control',
];
/** Anthropic's own tools: the type, with the fields that it takes. */
const serverTools: Record<string, string[]> = {
  web_search_20250305: ['allowed_domains', 'blocked_domains', 'max_uses', 'user_location'],
  web_fetch_20250910: ['allowed_domains', 'blocked_domains', 'max_uses', 'max_content_tokens', 'citations'],
  code_execution_20250825: [],
};
/** What each of them is called in the messages. */
const namesOf: Record<string, string[]> = {
  web_search: ['web_search'],
  web_fetch: ['web_fetch'],
  code_execution: ['code_execution', 'bash_code_execution', 'text_editor_code_execution'],
};
type ServerBlock = { type: string; id?: string; tool_use_id?: string; name?: string };
const isUse = ({ type }: { type: string }) => type === 'server_tool_use';
const isServerResult = ({ type }: { type: string }) => /^\w+_tool_result$/.test(type);
/** The key of a block that the server has sent. */
export const issuedKey = ({ type, id, tool_use_id }: ServerBlock) => `${type} ${id ?? tool_use_id}`;
/** The block without the mark that a request may add. */
export const issuedAs = (block: object) => JSON.stringify({ ...block, cache_control: undefined });

/** What each model takes for `thinking`, beside nothing. */
const thinkingOf: [model: RegExp, types: Thinking[]][] = [
  [/(?:haiku|sonnet|opus)-4-5/, ['enabled', 'disabled']],
  [/fable|opus-5-5/, ['adaptive']],
  [/sonnet-5-5/, ['adaptive', 'between_tools']],
  [/./, ['adaptive', 'disabled']],
];
const withoutEffort = /(?:haiku|sonnet)-4-5/;
/** Models whose reasoning is valid behind the very words that it followed. */
const bindsThoughts = /fable-5-[12]|(?:opus|sonnet)-5-5/;

/**
 * Returns Anthropic's refusal of a request, in its words; undefined if it takes it.
 *
 * @param signed what preceded each thought of this server, by its signature (see `prefixOf`), and the blocks of its own tools, as sent.
 */
export function anthropicFault(
  headers: IncomingHttpHeaders,
  body: MessagesRequest,
  signed: ReadonlyMap<string, string>,
): Fault | undefined {
  if (!headers['x-api-key'] && !headers.authorization?.startsWith('Bearer '))
    return { status: 401, type: 'authentication_error', message: 'x-api-key header is required' };
  if (headers['anthropic-version'] !== version) return refused('anthropic-version: header is required');
  const message =
    fieldFault(body) ?? toolsFault(body) ?? formatFault(body) ?? messagesFault(body, signed) ?? cacheFault(body);
  return message ? refused(message) : undefined;
}

function fieldFault(body: MessagesRequest): string | undefined {
  const { model, max_tokens, thinking, output_config } = body;
  const extra = Object.keys(body).find((name) => !known.includes(name));
  if (extra) return `${extra}: Extra inputs are not permitted`;
  if (!model) return 'model: Field required';
  if (!Number.isInteger(max_tokens) || max_tokens < 1) return 'max_tokens: Field required';
  const most = /-4-5/.test(model) ? 64_000 : 128_000;
  if (max_tokens > most)
    return `max_tokens: ${max_tokens} > ${most}, which is the maximum allowed number of output tokens for ${model}`;
  const types = thinkingOf.find(([one]) => one.test(model))![1];
  if (thinking && !types.includes(thinking.type))
    return `"thinking.type.${thinking.type}" is not supported for this model.`;
  if (thinking?.type === 'enabled' && !(thinking.budget_tokens >= 1_024 && thinking.budget_tokens < max_tokens))
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  const effort = output_config?.effort;
  if (effort && withoutEffort.test(model)) return 'This model does not support the effort parameter.';
  return effort && !['low', 'medium', 'high', 'xhigh', 'max'].includes(effort)
    ? "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'"
    : undefined;
}

function toolsFault({ tools = [], messages = [] }: MessagesRequest): string | undefined {
  const wrong = serverToolFault(tools);
  if (wrong) return wrong;
  const own = tools.filter(({ type }) => !type || type === 'custom') as Anthropic.Tool[];
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  if (tools.length === 0 && blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'))
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools.';
  const names = tools.map((tool) => (tool as { name: string }).name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  if (own.filter(({ strict }) => strict).length > 20) return 'Too many strict tools. The limit is 20.';
  for (const [index, { name, input_schema: schema, strict }] of own.entries()) {
    const at = String(index);
    const fault =
      anthropicToolFault({ name, schema, at }) ?? (strict ? enforcedFault(schema, `tools.${at}`) : undefined);
    if (fault) return fault;
  }
  return undefined;
}

function serverToolFault(tools: Anthropic.ToolUnion[]): string | undefined {
  for (const [index, tool] of tools.entries()) {
    const {
      type,
      name,
      cache_control: _,
      ...fields
    } = tool as { type?: string; name: string } & Record<string, unknown>;
    if (!type || type === 'custom') continue;
    const known = Object.hasOwn(serverTools, type) ? serverTools[type]! : undefined;
    if (!known) return `tools.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags`;
    if (!type.startsWith(`${name}_2`)) return `tools.${index}.${type}.name: Input should be '${type.slice(0, -9)}'`;
    const odd = Object.keys(fields).find((field) => !known.includes(field));
    if (odd) return `tools.${index}.${type}.${odd}: Extra inputs are not permitted`;
    if (fields.allowed_domains && fields.blocked_domains)
      return `tools.${index}: only one of allowed_domains and blocked_domains may be set`;
  }
  return undefined;
}

/** The blocks of Anthropic's own tools come back as they were sent, in pairs, with the definition of the tool. */
function serverBlocksFault({ tools = [], messages }: MessagesRequest, issued: ReadonlyMap<string, string>) {
  const defined = tools.flatMap((tool) => namesOf[(tool as { name: string }).name] ?? []);
  const made = new Set<string>();
  const open = new Map<string, number>();
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  for (const [index, message] of messages.entries())
    for (const block of blocksOf(message) as unknown as ServerBlock[]) {
      if (!isUse(block) && !isServerResult(block)) continue;
      if (issued.get(issuedKey(block)) !== issuedAs(block)) return `messages.${index}: ${block.type} was changed`;
      const name = block.name ?? block.type.replace('_tool_result', '');
      if (!defined.includes(name)) return `messages.${index}: ${name}: the tool is not defined in this request`;
      const id = block.id ?? block.tool_use_id ?? '';
      if (isUse(block)) {
        made.add(id);
        open.set(id, index);
      } else if (!made.has(id))
        return `messages.${index}: unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${id}. Each \`${block.type}\` block must have a corresponding \`server_tool_use\` block before it.`;
      else open.delete(id);
    }
  for (const [id, index] of open) {
    const mayWait = index === last && (callsOf(messages[index]).length > 0 || last === messages.length - 1);
    if (!mayWait)
      return `messages.${index}: tool use with id \`${id}\` was found without a corresponding tool result block`;
  }
  return undefined;
}

const formatFault = ({ output_config: { format } = {} }: MessagesRequest): string | undefined =>
  format ? enforcedFault(format.schema, 'output_config.format.schema') : undefined;

const enforced = [
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'allOf',
  'enum',
  'const',
  '$ref',
  '$defs',
  'description',
  'title',
  'format',
  'default',
  'pattern',
  'minItems',
];

/** Returns why a schema is outside of the subset that the API enforces. */
// biome-ignore lint/suspicious/noExplicitAny: a schema has any shape.
function enforcedFault(node: any, at: string): string | undefined {
  const odd = Object.keys(node).find((keyword) => !enforced.includes(keyword));
  if (odd) return `${at}: For '${node.type}' type, property '${odd}' is not supported`;
  if (node.minItems > 1) return `${at}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`;
  if (node.type === 'object' && node.additionalProperties !== false)
    return `${at}: For 'object' type, 'additionalProperties' must be explicitly set to false`;
  const inner = [
    ...Object.values(node.properties ?? {}),
    ...Object.values(node.$defs ?? {}),
    node.items,
    ...(node.anyOf ?? []),
  ];
  for (const one of inner) {
    const fault = one ? enforcedFault(one, at) : undefined;
    if (fault) return fault;
  }
  return undefined;
}

function messagesFault(body: MessagesRequest, signed: ReadonlyMap<string, string>): string | undefined {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required';
  for (const [index, { role, content }] of messages.entries()) {
    const at = `messages.${index}`;
    // The API joins turns of one role. This server does not, so that the adapter keeps the order of its blocks.
    if (role !== (index % 2 ? 'assistant' : 'user'))
      return `${at}: roles must alternate between "user" and "assistant"`;
    if (!Array.isArray(content) || content.length === 0) return `${at}: content must be non-empty`;
    const fault = role === 'user' ? resultsFault(messages, index) : turnFault(body, index, signed);
    if (fault) return `${at}${fault}`;
    for (const [place, block] of (content as Block[]).entries()) {
      if (block.type === 'text' && !block.text.trim())
        return `${at}: text content blocks must contain non-whitespace text`;
      const wrong = mediaFaultOf(block, role, `${at}.content.${place}`);
      if (wrong) return wrong;
    }
  }
  const images = messages
    .flatMap(blocksOf)
    .flatMap(withInner)
    .filter(({ type }) => type === 'image').length;
  if (images > 100) return `messages: too many images: ${images} > 100`;
  const last = messages.at(-1)!;
  const end = (last.content as Block[]).at(-1)!;
  if (last.role === 'assistant' && !isUse(end) && !isServerResult(end))
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  return manualFault(body) ?? citationsFault(messages) ?? serverBlocksFault(body, signed);
}

type Inner = Block | Exclude<NonNullable<Anthropic.ToolResultBlockParam['content']>, string>[number];
const withInner = (block: Block): Inner[] =>
  block.type === 'tool_result' && Array.isArray(block.content) ? [block, ...block.content] : [block];
/** Of a picture, in base64. */
const longestPicture = 5 * 1_048_576;

/** Pictures and documents are the user's or a result's, as Base64 that is what it says. */
function mediaFaultOf(block: Inner, role: string, at: string): string | undefined {
  if (block.type === 'tool_result') {
    if (!Array.isArray(block.content)) return undefined;
    if (block.content.length === 0) return `${at}.tool_result.content: must be non-empty`;
    for (const [index, inner] of block.content.entries()) {
      const wrong = mediaFaultOf(inner, role, `${at}.tool_result.content.${index}`);
      if (wrong) return wrong;
    }
    return undefined;
  }
  if (block.type !== 'image' && block.type !== 'document') return undefined;
  const place = `${at}.${block.type}.source`;
  if (role !== 'user') return `${place}: ${block.type} blocks are permitted in user turns only`;
  const { type, media_type, data } = block.source as Anthropic.Base64ImageSource;
  if (type !== 'base64') return `${place}.type: Input should be 'base64'`;
  const fault = mediaFault(media_type, data, block.type === 'image' ? takesImage : takesPdf);
  if (fault) return `${place}.base64: ${fault}`;
  return block.type === 'image' && data.length > longestPicture
    ? `${place}.base64: image exceeds 5 MB maximum: ${data.length} bytes > ${longestPicture} bytes`
    : undefined;
}

/** What a text cites goes back with the mark by which the API finds it. */
function citationsFault(messages: Anthropic.MessageParam[]): string | undefined {
  const cited = messages.flatMap(blocksOf).flatMap((block) => (block.type === 'text' ? (block.citations ?? []) : []));
  const odd = cited.find((one) => one.type === 'web_search_result_location' && !one.encrypted_index);
  return odd && 'citations.web_search_result_location.encrypted_index: Field required';
}

const blocksOf = (message: Anthropic.MessageParam | undefined): Block[] => (message?.content ?? []) as Block[];
const callsOf = (message: Anthropic.MessageParam | undefined): string[] =>
  blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? block.id : []));

/** The results of a turn's calls come first in the next one. */
function resultsFault(messages: Anthropic.MessageParam[], index: number): string | undefined {
  const blocks = blocksOf(messages[index]);
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : []));
  const calls = callsOf(messages[index - 1]);
  const [missing] = calls.filter((id) => !results.includes(id));
  if (missing) return `: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing}.`;
  const [alone] = results.filter((id) => !calls.includes(id));
  if (alone) return `: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${alone}.`;
  return blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result')
    ? ': `tool_result` blocks must come first'
    : undefined;
}

function turnFault(body: MessagesRequest, index: number, signed: ReadonlyMap<string, string>): string | undefined {
  const { model, messages } = body;
  const blocks = blocksOf(messages[index]);
  for (const [place, block] of blocks.entries()) {
    if (block.type === 'tool_use' && !(/^[a-zA-Z0-9_-]+$/.test(block.id) && typeof block.input === 'object'))
      return `.content.${place}.tool_use: Input should be a valid dictionary`;
    const mark =
      block.type === 'thinking' ? block.signature : block.type === 'redacted_thinking' ? block.data : undefined;
    if (mark === undefined) continue;
    if ('cache_control' in block) return `.content.${place}: cache_control: Extra inputs are not permitted`;
    const prefix = signed.get(mark);
    const what = block.type === 'thinking' ? '`signature` in `thinking`' : '`data` in `redacted_thinking`';
    if (prefix === undefined) return `.content.${place}: Invalid ${what} block.`;
    const turn = { role: 'assistant' as const, content: blocks.slice(0, place) };
    const given = prefixOf({ ...body, messages: [...messages.slice(0, index), ...(place > 0 ? [turn] : [])] });
    if (bindsThoughts.test(model) && prefix !== given)
      return `.content.${place}: Invalid ${what} block. The block is bound to a different conversation. Remove the block.`;
  }
  return undefined;
}

/** With thinking by a budget, a turn that goes on after a result must begin with a thought. */
function manualFault({ thinking, messages }: MessagesRequest): string | undefined {
  const [turn, last] = messages.slice(-2);
  const [first] = blocksOf(turn);
  const isOpen = blocksOf(last)[0]?.type === 'tool_result';
  return thinking?.type === 'enabled' && isOpen && !/thinking/.test(first?.type ?? '')
    ? `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first?.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`
    : undefined;
}

/** At most four marks, none of an hour after one of minutes. */
function cacheFault({ tools = [], system = [], messages }: MessagesRequest): string | undefined {
  const all = [...tools, ...(typeof system === 'string' ? [] : system), ...messages.flatMap(blocksOf)];
  const marks = all.flatMap(
    (block) => (block as { cache_control?: Anthropic.CacheControlEphemeral }).cache_control ?? [],
  );
  if (marks.length > 4) return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  const first = marks.findIndex(({ ttl }) => ttl !== '1h');
  return first >= 0 && marks.slice(first).some(({ ttl }) => ttl === '1h')
    ? "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block."
    : undefined;
}

/** Returns what a request begins with, as thoughts after it are bound to it. */
export const prefixOf = ({ system, tools, messages }: MessagesRequest): string =>
  JSON.stringify([system, tools, messages], (name, value) => (name === 'cache_control' ? undefined : value));
