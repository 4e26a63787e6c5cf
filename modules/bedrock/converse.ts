import type {
  CachePointBlock,
  ContentBlock,
  ConverseStreamCommandInput,
  GuardrailStreamConfiguration,
  ImageFormat,
  Message,
  ReasoningContentBlock,
  Tool,
} from '@aws-sdk/client-bedrock-runtime';
import type { Item } from '../../core/base/content/items';
import { modelTool } from '../../core/base/schemas/model-tool';
import { instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Asking } from '../../lambdas/models/api';
import { type CachePoints, cachePoints } from '../../lambdas/models/cache-points';
import { type Media, mediaOf, ofResults } from '../../lambdas/models/shown-files';
import type { Guardrail } from './provider';

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
    // An empty text is refused.
    ...(system.trim() && { system: [{ text: system }, ...(points?.system ? point! : [])] }),
    messages: messagesOf(items, points, takesInResults.test(modelId)),
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
  guardrailIdentifier: id,
  guardrailVersion: version,
  trace,
  streamProcessingMode: 'sync',
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

/** Other models take no pictures in a result, which then follow the results. */
const takesInResults = /anthropic\.claude|amazon\.nova|^arn:/;

/** Merges consecutive items of one side into one message, because turns must alternate. Each point follows the items before it. */
function messagesOf(items: readonly Item[], points: CachePoints | undefined, inResults: boolean): Message[] {
  const messages: (Message & { content: ContentBlock[] })[] = [];
  const behind: Media[] = [];
  let documents = 0;
  // Names must be unique, and the model may take them for words of the user.
  const nextName = () => `Document ${++documents}`;
  for (const [index, item] of items.entries()) {
    const content = blocksOf(inResults ? item : withoutMedia(item), nextName);
    if (item.kind === 'result' && !inResults) {
      behind.push(...mediaOf(item));
      if (behind.length > 0 && items[index + 1]?.kind !== 'result')
        content.push({ text: ofResults(behind) }, ...behind.splice(0).map((one) => mediaBlock(one, nextName)));
    }
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

function blocksOf(item: Item, nextName: () => string): ContentBlock[] {
  const media = mediaOf(item).map((one) => mediaBlock(one, nextName));
  if (item.kind === 'result') {
    const content = [{ text: item.text.trim() ? item.text : '(nothing)' }, ...media];
    return [{ toolResult: { toolUseId: item.callId, content } }];
  }
  const thoughts = ((item.opaque ?? {}) as ItsOwn).thoughts?.map(thoughtBlock) ?? [];
  if (item.kind === 'call') {
    const input = JSON.parse(item.arguments) as never;
    return [...thoughts, { toolUse: { toolUseId: item.id, name: item.tool, input } }];
  }
  // A document needs a text beside it, which has a line about it.
  return item.text.trim() ? [...thoughts, { text: item.text }, ...media] : [];
}

const withoutMedia = (item: Item): Item => (item.kind === 'result' ? ({ ...item, media: undefined } as Item) : item);

type MediaBlock = ContentBlock.ImageMember | ContentBlock.DocumentMember;

const mediaBlock = ({ kind, mediaType, bytes }: Media, nextName: () => string): MediaBlock =>
  kind === 'image'
    ? { image: { format: mediaType.replace('image/', '') as ImageFormat, source: { bytes } } }
    : { document: { format: 'pdf', name: nextName(), source: { bytes } } };

const thoughtBlock = (thought: Thought): ContentBlock => ({
  reasoningContent: ('redacted' in thought
    ? { redactedContent: Buffer.from(thought.redacted, 'base64') }
    : { reasoningText: thought }) as ReasoningContentBlock,
});
