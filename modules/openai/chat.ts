import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Item } from '../../core/base/content/items';
import { modelTool } from '../../core/base/schemas/model-tool';
import { formatOf, instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Api, Asking } from '../../lambdas/models/api';
import { type CachePoints, cachePoints } from '../../lambdas/models/cache-points';
import { failureOf } from '../../lambdas/models/model-errors';
import { dataUrl, type Media, mediaOf, nameOf, ofResults } from '../../lambdas/models/shown-files';
import { cacheOptions, marked } from './cache-options';
import { ChatReply } from './chat-reply';
import { isOpenaiFailure, openaiEvents, openaiLimits } from './client';

/** The chat completions API, which nearly every server supports. */
export const chat: Api = {
  limits: openaiLimits,
  requestOf,
  open: (connection, asking, signal) =>
    openaiEvents(connection, (client) => client.chat.completions.create(requestOf(asking), { signal })),
  collector: (onText) => new ChatReply(onText),
  failureIn: failureOf,
  isFailure: isOpenaiFailure,
};

export function requestOf({
  agent,
  items,
  outputLimit = 'max_tokens',
  structuredOutput,
  cache,
  cacheFields,
}: Asking): ChatCompletionCreateParamsStreaming {
  const { name: model, effort, verbosity, maxOutputTokens, temperature, extra } = agent.model;
  const tools = agent.tools.map(modelTool).map((tool) => ({ type: 'function' as const, function: tool }));
  const system = instructionsOf(agent);
  const sent = { tools: tools.length > 0 ? JSON.stringify(tools) : '', system, items };
  const points = cacheFields ? cachePoints(model, cache, sent) : undefined;
  return {
    ...extra,
    model,
    messages: [{ role: 'system', content: contentOf(system, points?.system) }, ...messagesOf(items, points)],
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && { tools }),
    ...(effort && { reasoning_effort: effort }),
    ...(verbosity && { verbosity }),
    ...(agent.output &&
      structuredOutput && { response_format: { type: 'json_schema' as const, json_schema: formatOf(agent.output) } }),
    ...(maxOutputTokens !== undefined && { [outputLimit]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(cacheFields && cacheOptions(model, cache)),
  };
}

/**
 * Fields outside the standard that servers send and need back, of a message and of each call: Gemini's signatures in
 * `extra_content`, DeepSeek's reasoning before a call, OpenRouter's form of both.
 */
export interface ItsOwn {
  message?: Record<string, unknown>;
  call?: Record<string, unknown>;
}

/** @param isEnd whether a prefix ends here; undefined if there are no marks. With them, every text is a part, or it would be another prefix. */
const contentOf = (text: string, isEnd: boolean | undefined) =>
  isEnd === undefined ? text : [{ type: 'text' as const, text, ...marked(isEnd) }];

/** Whatever is sent with the text follows it, and the mark is at the end of all. */
function contentOfUser(text: string, media: readonly Media[], isEnd: boolean | undefined) {
  if (media.length === 0) return contentOf(text, isEnd);
  const parts: ChatCompletionContentPart[] = [{ type: 'text', text }, ...media.map(mediaPart)];
  return parts.map((part, index) => ({ ...part, ...marked(isEnd === true && index === parts.length - 1) }));
}

const mediaPart = (media: Media): ChatCompletionContentPart =>
  media.kind === 'image'
    ? { type: 'image_url', image_url: { url: dataUrl(media) } }
    : { type: 'file', file: { filename: nameOf(media), file_data: dataUrl(media) } };

/** Merges a message and the calls that follow it into one message. */
function messagesOf(items: readonly Item[], points: CachePoints | undefined): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  let open: ChatCompletionAssistantMessageParam | undefined;
  const media: Media[] = [];
  for (const [index, item] of items.entries()) {
    const isEnd = points?.items.includes(index + 1);
    const own = item.kind === 'result' ? {} : ((item.opaque ?? {}) as ItsOwn);
    if (item.kind === 'call') {
      if (!open) {
        open = { role: 'assistant', content: null };
        messages.push(open);
      }
      Object.assign(open, own.message, { tool_calls: [...(open.tool_calls ?? []), callOf(item, own)] });
      continue;
    }
    open = undefined;
    if (item.kind === 'result') {
      messages.push({ role: 'tool', tool_call_id: item.callId, content: contentOf(item.text, isEnd) });
      media.push(...mediaOf(item));
      // The API takes no files in a result.
      const isLast = items[index + 1]?.kind !== 'result';
      if (media.length > 0 && isLast)
        messages.push({ role: 'user', content: contentOfUser(ofResults(media), media.splice(0), undefined) });
    } else if (item.by === 'user')
      messages.push({ role: 'user', content: contentOfUser(item.text, mediaOf(item), isEnd) });
    else {
      open = { role: 'assistant', content: item.text, ...own.message };
      messages.push(open);
    }
  }
  return messages;
}

const callOf = (
  { id, tool, arguments: args }: Extract<Item, { kind: 'call' }>,
  { call }: ItsOwn,
): ChatCompletionMessageFunctionToolCall => ({
  id,
  type: 'function',
  function: { name: tool, arguments: args },
  ...call,
});
