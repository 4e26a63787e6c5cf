import type Anthropic from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages';
import type * as z from 'zod';
import type { Item } from '../../core/base/content/items';
import { cacheFactsOf } from '../../core/base/models/cache-facts';
import { charactersPerToken } from '../../core/base/models/models';
import { modelTool } from '../../core/base/schemas/model-tool';
import { isWellFormed } from '../../core/base/text/clip';
import { formatOf, instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Asking } from '../../lambdas/models/api';
import { base64Of, type Media, mediaOf } from '../../lambdas/models/shown-files';
import { type HostedBlock, hostedTool, pairHosted } from './hosted';
import { byEffort, effortOf, mostOutput } from './thinking';

/** Builds a request of Anthropic's Messages API. See https://platform.claude.com/docs/en/api/messages/create */
export function requestOf({ agent, items, cache, begun = [] }: Asking): MessageCreateParamsStreaming {
  const { name: model, effort, maxOutputTokens: max_tokens = mostOutput, extra } = agent.model;
  const declared = [...agent.tools.map(modelTool).map(toolOf), ...agent.hosted.flatMap(hostedTool)];
  const tools = declared.length > 0 ? declared : toolsOf(items);
  const system: Anthropic.TextBlockParam[] = [{ type: 'text', text: instructionsOf(agent) }];
  const { messages, ends } = messagesOf(items);
  if (cache && cache.lasts !== 'none')
    markCached(
      { tools, system, messages, ends },
      { least: cacheFactsOf(model)?.least ?? leastCachedTokens, lasts: cache.lasts },
    );
  if (begun.length > 0) messages.push({ role: 'assistant', content: begun as Block[] });
  pairHosted(messages);
  const format = agent.output && { format: { type: 'json_schema' as const, schema: enforced(agent.output) } };
  const thinking = effort && byEffort(model, effort, { max_tokens, messages });
  const level = effort && effortOf(model, effort);
  return {
    ...extra,
    model,
    max_tokens,
    messages,
    stream: true,
    ...(instructionsOf(agent).trim() && { system }),
    ...(tools.length > 0 && { tools }),
    ...(thinking && { thinking }),
    ...((level || format) && { output_config: { ...(level && { effort: level }), ...format } }),
  };
}

/** Returns a schema in the subset of JSON schema that the API enforces. The rest of it is told in descriptions. */
const enforced = (output: z.ZodObject) =>
  transformJSONSchema(formatOf(output).schema as never) as unknown as Record<string, unknown>;

/**
 * A tool without `strict`, because a request may have only 20 strict tools with 24 optional fields in all
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs). Vigil checks all arguments.
 */
const toolOf = ({ name, description, parameters }: ReturnType<typeof modelTool>): Anthropic.Tool => ({
  name,
  description,
  input_schema: parameters as Anthropic.Tool.InputSchema,
});

/** The tools of another agent's calls, for an agent without tools: the API needs `tools` if there is a call in the messages. */
const toolsOf = (items: readonly Item[]): Anthropic.Tool[] =>
  [...new Set(items.flatMap((item) => (item.kind === 'call' ? item.tool : [])))].map((name) => ({
    name,
    description: 'Not to be called.',
    input_schema: { type: 'object' },
  }));

/** A block of reasoning, as received. Some models omit its text and give its signature only. */
export type Thought = Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam;
/** A part of the text, with what it cites as the API needs it back. */
interface Passage {
  characters: number;
  citations?: unknown[];
}
/** What came before a call, or made up a text: reasoning and the blocks of hosted tools, and how much of the text stood between them. */
export interface ItsOwn {
  blocks?: (Thought | HostedBlock | Passage)[];
  /** After the last call: calls of hosted tools that the API makes when it has the results of the others. */
  after?: HostedBlock[];
}

type Block = Anthropic.ContentBlockParam;
type Message = Anthropic.MessageParam & { content: Block[] };

/**
 * Merges consecutive items of one side into one message, because turns alternate.
 *
 * @returns also the last block of each step that is complete: its results or, without calls, its text.
 */
function messagesOf(items: readonly Item[]): { messages: Message[]; ends: Block[] } {
  const messages: Message[] = [];
  const ends: Block[] = [];
  for (const [index, item] of items.entries()) {
    const content = blocksOf(item);
    const role = item.kind === 'call' || (item.kind === 'message' && item.by === 'assistant') ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
    const next = items[index + 1];
    const isEnd = item.kind === 'result' ? next?.kind !== 'result' : role === 'assistant' && !isOfStep(next);
    const block = content.at(-1);
    if (isEnd && block) ends.push(block);
  }
  // The first turn must be the user's.
  return { ends, messages: messages[0]?.role === 'assistant' ? [opening, ...messages] : messages };
}

const isOfStep = (item: Item | undefined) => item?.kind === 'call' || item?.kind === 'result';
const opening: Message = { role: 'user', content: [{ type: 'text', text: '…' }] };

function blocksOf(item: Item): Block[] {
  const media = mediaOf(item).map(mediaBlock);
  if (item.kind === 'result') {
    const text = item.text.trim() ? item.text : '(nothing)';
    const content = media.length > 0 ? [{ type: 'text' as const, text }, ...media] : text;
    return [{ type: 'tool_result', tool_use_id: item.callId, content }];
  }
  const { blocks = [], after = [] } = (item.opaque ?? {}) as ItsOwn;
  if (item.kind === 'call')
    return [
      ...(blocks.filter(isBlock) as Block[]),
      { type: 'tool_use', id: item.id, name: item.tool, input: JSON.parse(item.arguments) },
      ...(after as Block[]),
    ];
  return item.text.trim() ? [...interleaved(item.text, blocks), ...media] : [];
}

const mediaBlock = (media: Media): Anthropic.ImageBlockParam | Anthropic.DocumentBlockParam =>
  media.kind === 'image'
    ? { type: 'image', source: { ...inBase64(media), media_type: media.mediaType as 'image/png' } }
    : { type: 'document', source: { ...inBase64(media), media_type: 'application/pdf' } };
const inBase64 = (media: Media) => ({ type: 'base64' as const, data: base64Of(media) });

type Own = Exclude<NonNullable<ItsOwn['blocks']>[number], Passage>;
const isBlock = (block: Own | Passage): block is Own => 'type' in block;

/** Puts the reasoning, and the blocks of hosted tools, where they were in a text. Signatures are valid in that order only. */
function interleaved(text: string, blocks: NonNullable<ItsOwn['blocks']>): Block[] {
  const content: Block[] = [];
  let at = 0;
  for (const block of blocks) {
    if (isBlock(block)) content.push(block as Block);
    else {
      // At the end of a block. It is only read: what is no whole character is not sent, see below.
      const passage = text.slice(at, at + block.characters);
      const { citations = [] } = block;
      content.push({ type: 'text', text: passage, ...(citations.length > 0 && { citations: citations as never }) });
      at += block.characters;
    }
  }
  const rest = text.slice(at);
  if (rest.trim() || at === 0) content.push({ type: 'text', text: rest });
  const isWhole = content.every((block) => block.type !== 'text' || (block.text.trim() && isWellFormed(block.text)));
  return isWhole ? content : [...(blocks.filter(isBlock) as Block[]), { type: 'text', text }];
}

/** For a model of which nothing is known. */
const leastCachedTokens = 1_024;

interface Prefix {
  tools: Anthropic.ToolUnion[];
  system: Anthropic.TextBlockParam[];
  messages: Message[];
  ends: Block[];
}

/** The API finds a cached prefix at most 20 blocks before a mark, so the end of the last request has a mark, too. */
const marksOfSteps = 2;

/**
 * Marks where the prompt cache is written: after the tools, the instructions, and the last two complete steps; nowhere below the
 * model's least. What comes after these steps may change with each request.
 */
function markCached({ tools, system, messages, ends }: Prefix, of: { least: number; lasts: 'minutes' | 'hour' }): void {
  const cache_control = { type: 'ephemeral' as const, ...(of.lasts === 'hour' && { ttl: '1h' as const }) };
  let characters = 0;
  const mark = (block: { cache_control?: unknown } | undefined) => {
    if (block && characters >= of.least * charactersPerToken) block.cache_control = cache_control;
  };
  characters += sizeOf(tools);
  mark(tools.at(-1));
  characters += sizeOf(system);
  mark(system.at(-1));
  const marked = ends.slice(-marksOfSteps);
  for (const block of messages.flatMap(({ content }) => content)) {
    characters += sizeOf(block);
    if (marked.includes(block)) mark(block as object);
  }
}

/** Of the text: a file has other tokens than characters. */
const sizeOf = (value: unknown): number =>
  JSON.stringify(value, (name, one) => (name === 'source' ? undefined : one)).length;
