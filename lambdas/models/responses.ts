import type OpenAI from 'openai';
import type {
  ResponseCreateParamsStreaming,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
  ResponseUsage,
} from 'openai/resources/responses/responses';
import type { Reply } from '../../core/agent/model';
import { modelTool } from '../../core/agent/model-tool';
import { formatOf, instructionsOf } from '../../core/agent/typed-answer';
import { factsOf } from '../../core/models/models';
import type { Item } from '../../core/state/items';
import { noUsage, type Usage } from '../../core/state/schemas';
import { ModelRejected, ModelUnavailable } from '../../core/text/errors';
import type { Api, Asking, Collected, Collector } from './api';

/**
 * OpenAI's Responses API, see https://developers.openai.com/api/docs/guides/reasoning. OpenAI stores nothing: the encrypted reasoning
 * is kept with the step and sent again before the item that it led to.
 */
export const responses: Api<ResponseStreamEvent> = {
  open: (client: OpenAI, asking: Asking, signal: AbortSignal) => client.responses.create(requestOf(asking), { signal }),
  collector: (onText) => new ResponseReply(onText),
  failureIn(event) {
    if (event.type === 'error') return { code: event.code, param: event.param, error: event };
    if (event.type !== 'response.failed') return undefined;
    const error = event.response.error ?? undefined;
    return { code: error?.code, error: error ?? {} };
  },
};

export function requestOf({ agent, items }: Asking): ResponseCreateParamsStreaming {
  const { name: model, effort, verbosity, maxOutputTokens, temperature, extra } = agent.model;
  const tools = agent.tools.map(modelTool).map((tool) => ({ type: 'function' as const, strict: true, ...tool }));
  const text = (verbosity || agent.output) && {
    ...(verbosity && { verbosity }),
    ...(agent.output && { format: { ...formatOf(agent.output), type: 'json_schema' as const } }),
  };
  return {
    model,
    instructions: instructionsOf(agent),
    input: items.flatMap(inputOf),
    stream: true,
    store: false,
    // Other models reject the field.
    ...(factsOf(model).reasons && { include: ['reasoning.encrypted_content'] }),
    ...(tools.length > 0 && { tools }),
    ...(effort && { reasoning: { effort } }),
    ...(text && { text }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...extra,
  };
}

/** The API's own data of an item. */
interface ItsOwn {
  /** The reasoning before the item. */
  reasoning?: ResponseReasoningItem[];
  /** Whether a message is a commentary or the answer. Newer models need this back. */
  phase?: 'commentary' | 'final_answer';
}

function inputOf(item: Item): ResponseInputItem[] {
  if (item.kind === 'result') return [{ type: 'function_call_output', call_id: item.callId, output: item.text }];
  const { reasoning = [], phase } = (item.opaque ?? {}) as ItsOwn;
  if (item.kind === 'call') {
    return [...reasoning, { type: 'function_call', call_id: item.id, name: item.tool, arguments: item.arguments }];
  }
  return [...reasoning, { type: 'message', role: item.by, content: item.text, ...(phase && { phase }) }];
}

export class ResponseReply implements Collector<ResponseStreamEvent> {
  private text = '';
  /** The reply's messages so far. Some replies have two, a commentary and an answer. */
  private readonly begun = new Set<number>();
  private readonly items: ResponseOutputItem[] = [];
  private end?: { usage?: ResponseUsage; reason?: string };

  constructor(private readonly onText: (piece: string) => void) {}

  add(event: ResponseStreamEvent): void {
    if (event.type === 'response.output_text.delta' || event.type === 'response.refusal.delta')
      this.say(event.output_index, event.delta);
    else if (event.type === 'response.output_item.done') this.complete(event.output_index, event.item);
    else if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      const { status, usage, incomplete_details: details } = event.response;
      // Some servers end every reply with the same event.
      const isCut = event.type === 'response.incomplete' || status === 'incomplete';
      this.end = { usage, reason: isCut ? (details?.reason ?? 'incomplete') : undefined };
    }
  }

  finish(): Collected {
    if (!this.end) throw new ModelUnavailable("The model's answer broke off.");
    const { usage, reason } = this.end;
    if (reason === 'content_filter') throw new ModelRejected('The model refused the content.');
    return { text: this.text, ...partsOf(this.items), cutOff: reason, usage: usage && usageOf(usage) };
  }

  private say(index: number, piece: string): void {
    if (!piece) return;
    const isNext = !this.begun.has(index) && this.text !== '';
    this.begun.add(index);
    const said = isNext ? `\n\n${piece}` : piece;
    this.text += said;
    this.onText(said);
  }

  private complete(index: number, item: ResponseOutputItem): void {
    this.items.push(item);
    if (item.type !== 'message' || this.begun.has(index)) return;
    // The server does not stream the text.
    for (const part of item.content) this.say(index, part.type === 'refusal' ? part.refusal : part.text);
  }
}

/** A message without text is never sent back, so the reasoning before it belongs to the next item. */
const saysSomething = (part: ResponseOutputMessage['content'][number]): boolean =>
  (part.type === 'refusal' ? part.refusal : part.text).trim() !== '';

/** Attaches reasoning to the item that follows it. Reasoning without such an item is dropped, because the API rejects it. */
function partsOf(items: ResponseOutputItem[]): Pick<Reply, 'toolCalls' | 'opaque'> {
  const toolCalls: Reply['toolCalls'] = [];
  const said: ItsOwn = {};
  let reasoning: ResponseReasoningItem[] = [];
  for (const item of items) {
    if (item.type === 'reasoning') {
      const { id, summary, encrypted_content } = item;
      if (encrypted_content) reasoning.push({ type: 'reasoning', id, summary, encrypted_content });
    } else if (item.type === 'function_call') {
      const { call_id: id, name, arguments: args } = item;
      toolCalls.push({ id, name, arguments: args, ...(reasoning.length > 0 && { opaque: { reasoning } }) });
      reasoning = [];
    } else if (item.type === 'message' && item.content.some(saysSomething)) {
      if (reasoning.length > 0) said.reasoning = [...(said.reasoning ?? []), ...reasoning];
      if (item.phase) said.phase = item.phase;
      reasoning = [];
    }
  }
  return { toolCalls, ...(Object.keys(said).length > 0 && { opaque: said }) };
}

function usageOf(usage: ResponseUsage): Usage {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = usage;
  return {
    ...noUsage,
    inputTokens,
    outputTokens,
    // Other servers of this API omit the details.
    cachedInputTokens: usage.input_tokens_details?.cached_tokens ?? 0,
    cacheWriteTokens: usage.input_tokens_details?.cache_write_tokens ?? 0,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}
