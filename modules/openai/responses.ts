import type {
  ResponseCreateParamsStreaming,
  ResponseIncludable,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import type { Item } from '../../core/base/content/items';
import { factsOf } from '../../core/base/models/models';
import { modelTool } from '../../core/base/schemas/model-tool';
import { formatOf, instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Api, Asking } from '../../lambdas/models/api';
import { cachePoints } from '../../lambdas/models/cache-points';
import { dataUrl, type Media, mediaOf, nameOf } from '../../lambdas/models/shown-files';
import { cacheKey, cacheOptions, marked } from './cache-options';
import { isOpenaiFailure, openaiClient, openaiEvents, openaiLimits } from './client';
import { type HostedItem, hostedIncludes, hostedTool } from './responses-hosted';
import { countsIn, isEnd, ResponseReply, responseFailure, responseIdIn } from './responses-reply';

/**
 * OpenAI's Responses API, see https://developers.openai.com/api/docs/guides/reasoning. OpenAI stores nothing but replies in the background:
 * the encrypted reasoning is kept with the step and sent again before the item that it led to.
 */
export const responses: Api = {
  limits: openaiLimits,
  requestOf,
  open: (connection, asking, signal) =>
    openaiEvents(connection, (client) => client.responses.create(requestOf(asking), { signal })),
  collector: (onText) => new ResponseReply(onText),
  failureIn: responseFailure,
  isFailure: isOpenaiFailure,
  fileContent: (connection, path, signal) =>
    openaiClient(connection)
      .get(path, { headers: { accept: 'application/binary' }, signal, __binaryResponse: true })
      .asResponse(),
  background: {
    idIn: responseIdIn,
    resume: async (connection, { id, asking }, signal) =>
      withEnd(
        await openaiEvents(connection, (client) =>
          client.responses.retrieve(id, { stream: true, include: includesOf(asking) }, { signal }),
        ),
        () => openaiClient(connection).responses.retrieve(id, { include: includesOf(asking) }, { signal }),
      ),
    cancel: async (connection, id, signal) => countsIn(await openaiClient(connection).responses.cancel(id, { signal })),
  },
};

/** No event tells of a reply that was cancelled: where a stream ends without a word about the end, the provider is asked for the reply. */
async function* withEnd(events: AsyncIterable<unknown>, whole: () => Promise<unknown>): AsyncGenerator<unknown> {
  let hasEnd = false;
  for await (const event of events) {
    hasEnd ||= isEnd(event);
    yield event;
  }
  if (!hasEnd) yield await whole();
}

const includesOf = ({ agent }: Asking): ResponseIncludable[] => [
  // Other models reject it.
  ...(factsOf(agent.model.name).reasons ? ['reasoning.encrypted_content' as const] : []),
  ...hostedIncludes(agent.hosted),
];

export function requestOf(asking: Asking): ResponseCreateParamsStreaming {
  const { agent, items, cache, cacheFields, inBackground = false } = asking;
  const include = includesOf(asking);
  const { name: model, effort, verbosity, maxOutputTokens, temperature, extra } = agent.model;
  const tools = [
    ...agent.tools.map(modelTool).map((tool) => ({ type: 'function' as const, ...tool })),
    ...agent.hosted.flatMap(hostedTool),
  ];
  const text = (verbosity || agent.output) && {
    ...(verbosity && { verbosity }),
    ...(agent.output && { format: { ...formatOf(agent.output), type: 'json_schema' as const } }),
  };
  // Models that need marks find what an earlier request has marked at the same place only.
  const points = cachePoints(model, cacheFields ? cache : undefined, {
    tools: tools.length > 0 ? JSON.stringify(tools) : '',
    system: instructionsOf(agent),
    items,
  });
  return {
    ...extra,
    model,
    instructions: instructionsOf(agent),
    input: items.flatMap((item, index) => inputOf(item, points && { isEnd: points.items.includes(index + 1) })),
    stream: true,
    // A reply in the background can be fetched because it is stored.
    store: inBackground,
    ...(inBackground && { background: true }),
    ...(include.length > 0 && { include }),
    ...(tools.length > 0 && { tools }),
    ...(effort && { reasoning: { effort } }),
    ...(text && { text }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    // Every server of this API knows the key.
    ...(cacheFields ? cacheOptions(model, cache) : cacheFields === undefined && cacheKey(cache)),
  };
}

type MediaPart =
  | { type: 'input_image'; detail: 'auto'; image_url: string }
  | { type: 'input_file'; filename: string; file_data: string };

const mediaPart = (media: Media): MediaPart =>
  media.kind === 'image'
    ? { type: 'input_image', detail: 'auto', image_url: dataUrl(media) }
    : { type: 'input_file', filename: nameOf(media), file_data: dataUrl(media) };

/** The API's own data of an item. */
export interface ItsOwn {
  /** The reasoning before the item, and the calls of hosted tools that it led to, in their order. */
  reasoning?: (ResponseReasoningItem | HostedItem)[];
  /** Whether a message is a commentary or the answer. Newer models need this back. */
  phase?: 'commentary' | 'final_answer';
}

/** @param part whether the text is sent as a part that can have a mark. All are, or none: with another form it would be another prefix. */
function inputOf(item: Item, part: { isEnd: boolean } | undefined): ResponseInputItem[] {
  const media = mediaOf(item).map(mediaPart);
  const content = (text: string) => {
    if (!part && media.length === 0) return text;
    const parts = [{ type: 'input_text' as const, text }, ...media];
    return parts.map((one, index) => ({ ...one, ...marked(part?.isEnd === true && index === parts.length - 1) }));
  };
  if (item.kind === 'result')
    return [{ type: 'function_call_output', call_id: item.callId, output: content(item.text) }];
  const { reasoning = [], phase } = (item.opaque ?? {}) as ItsOwn;
  if (item.kind === 'call') {
    return [...reasoning, { type: 'function_call', call_id: item.id, name: item.tool, arguments: item.arguments }];
  }
  if (item.by === 'user') return [{ type: 'message', role: 'user', content: content(item.text) }];
  return [...reasoning, { type: 'message', role: item.by, content: item.text, ...(phase && { phase }) }];
}
