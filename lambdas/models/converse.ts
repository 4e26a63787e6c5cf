import type {
  CachePointBlock,
  ContentBlock,
  ConverseStreamCommandInput,
  GuardrailStreamConfiguration,
  Message,
  ReasoningContentBlock,
  Tool,
} from '@aws-sdk/client-bedrock-runtime';
import type { Guardrail } from '../../core/base/models/provider';
import { modelTool } from '../../core/base/schemas/model-tool';
import type { Item } from '../../core/base/state/items';
import { instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Asking } from './api';
import { type CachePoints, cachePoints } from './cache-points';

/**
 * Builds a request of Amazon Bedrock's Converse API, which is the same for all models. See
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export function requestOf({ agent, items, cache }: Asking): ConverseStreamCommandInput {
  const { name: modelId, effort, maxOutputTokens, temperature, guardrail, extra } = agent.model;
  const tools = agent.tools.length > 0 ? agent.tools.map(modelTool).map(toolOf) : toolsOf(items);
  const system = instructionsOf(agent);
  const points = cachePoints(modelId, cache, { tools: tools.length > 0 ? JSON.stringify(tools) : '', system, items });
  const point = points && [{ cachePoint: pointOf(points) }];
  return {
    modelId,
    system: [{ text: system }, ...(points?.system ? point! : [])],
    messages: messagesOf(items, points),
    ...(tools.length > 0 && { toolConfig: { tools: [...tools, ...(points?.tools ? point! : [])] } }),
    ...((maxOutputTokens !== undefined || temperature !== undefined) && {
      inferenceConfig: { maxTokens: maxOutputTokens, temperature },
    }),
    ...(effort && { outputConfig: { effort: effort as never } }),
    ...(guardrail && { guardrailConfig: guardrailConfig(guardrail) }),
    ...(extra && { additionalModelRequestFields: extra as never }),
  };
}

const pointOf = ({ forHour }: CachePoints): CachePointBlock => ({ type: 'default', ...(forHour && { ttl: '1h' }) });

/** In the mode `sync`, Bedrock sends a piece of text when it has passed. */
const guardrailConfig = ({ id, version, trace = 'enabled' }: Guardrail): GuardrailStreamConfiguration => ({
  ...{ guardrailIdentifier: id, guardrailVersion: version, trace, streamProcessingMode: 'sync' },
});

const toolOf = ({ name, description, parameters }: ReturnType<typeof modelTool>): Tool => ({
  toolSpec: { name, description, inputSchema: { json: parameters as never } },
});

/** The tools of another agent's calls, for an agent without tools: the API needs a definition of every tool in the messages. */
const toolsOf = (items: readonly Item[]): Tool[] =>
  [...new Set(items.flatMap((item) => (item.kind === 'call' ? item.tool : [])))].map((name) => ({
    toolSpec: { name, description: 'Not to be called.', inputSchema: { json: { type: 'object' } } },
  }));

/** A block of reasoning as JSON, with bytes in Base64. */
export type Thought = { text: string; signature?: string } | { redacted: string };
export interface ItsOwn {
  thoughts?: Thought[];
}

/** Merges consecutive items of one side into one message, because turns must alternate. Each point follows the items before it. */
function messagesOf(items: readonly Item[], points: CachePoints | undefined): Message[] {
  const messages: (Message & { content: ContentBlock[] })[] = [];
  for (const [index, item] of items.entries()) {
    const content = blocksOf(item);
    const role = item.kind === 'call' || (item.kind === 'message' && item.by === 'assistant') ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
    const open = messages.at(-1)?.content;
    if (open && points?.items.includes(index + 1) && !open.at(-1)?.cachePoint)
      open.push({ cachePoint: pointOf(points) });
  }
  // The first turn must be the user's.
  return messages[0]?.role === 'assistant' ? [{ role: 'user', content: [{ text: '…' }] }, ...messages] : messages;
}

function blocksOf(item: Item): ContentBlock[] {
  if (item.kind === 'result')
    return [
      { toolResult: { toolUseId: item.callId, content: [{ text: item.text.trim() ? item.text : '(nothing)' }] } },
    ];
  const thoughts = ((item.opaque ?? {}) as ItsOwn).thoughts?.map(thoughtBlock) ?? [];
  if (item.kind === 'call') {
    const input = JSON.parse(item.arguments) as never;
    return [...thoughts, { toolUse: { toolUseId: item.id, name: item.tool, input } }];
  }
  return item.text.trim() ? [...thoughts, { text: item.text }] : [];
}

const thoughtBlock = (thought: Thought): ContentBlock => ({
  reasoningContent: ('redacted' in thought
    ? { redactedContent: Buffer.from(thought.redacted, 'base64') }
    : { reasoningText: thought }) as ReasoningContentBlock,
});
