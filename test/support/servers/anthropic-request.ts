import type { IncomingHttpHeaders } from 'node:http';
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
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
  ...['model', 'max_tokens', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'stream'],
  ...['stop_sequences', 'metadata', 'service_tier', 'cache_control'],
];
const ofOwnTools = ['server_tool_use', 'web_search_tool_result'];

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
 * @param signed what preceded each thought of this server, by its signature (see `prefixOf`).
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
  const own = tools as Anthropic.Tool[];
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  if (own.length === 0 && blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'))
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools.';
  if (new Set(own.map(({ name }) => name)).size < own.length) return 'tools: Tool names must be unique.';
  if (own.filter(({ strict }) => strict).length > 20) return 'Too many strict tools. The limit is 20.';
  for (const [index, { name, input_schema: schema, strict }] of own.entries()) {
    const at = String(index);
    const fault =
      anthropicToolFault({ name, schema, at }) ?? (strict ? enforcedFault(schema, `tools.${at}`) : undefined);
    if (fault) return fault;
  }
  return undefined;
}

const formatFault = ({ output_config: { format } = {} }: MessagesRequest): string | undefined =>
  format ? enforcedFault(format.schema, 'output_config.format.schema') : undefined;

const enforced = [
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'anyOf', 'allOf', 'enum', 'const', '$ref'],
  ...['$defs', 'description', 'title', 'format', 'default', 'pattern', 'minItems'],
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
    for (const block of content as Block[])
      if (block.type === 'text' && !block.text.trim())
        return `${at}: text content blocks must contain non-whitespace text`;
  }
  const last = messages.at(-1)!;
  const end = (last.content as Block[]).at(-1)!;
  if (last.role === 'assistant' && !ofOwnTools.includes(end.type))
    return 'This model does not support assistant message prefill. The conversation must end with a user message.';
  return manualFault(body);
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
