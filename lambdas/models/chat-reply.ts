import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { Reply } from '../../core/agent/model';
import { noUsage, type Usage } from '../../core/state/schemas';
import { ModelRejected, ModelUnavailable } from '../../core/text/errors';
import type { Collected, Collector } from './api';
import type { ItsOwn } from './chat';

type Call = Reply['toolCalls'][number] & { index?: number; own?: Record<string, unknown> };

/** Fields outside the standard that servers need back, of a message and of a call. */
const ofMessage = ['reasoning_content', 'reasoning_details', 'extra_content'];
const ofCall = ['extra_content'];
const cutOff = ['length', 'max_tokens'];

/** Assembles a streamed reply. Depending on the server, tool calls arrive whole or in fragments, with or without an index. */
export class ChatReply implements Collector<ChatCompletionChunk> {
  private text = '';
  private own: Record<string, unknown> = {};
  private readonly toolCalls: Call[] = [];
  private finishReason: string | null = null;
  private usage?: Usage;

  constructor(private readonly onText: (piece: string) => void) {}

  add({ choices, usage }: ChatCompletionChunk): void {
    if (usage) this.usage = usageOf(usage);
    const choice = choices?.[0];
    if (!choice) return;
    const piece = choice.delta?.content ?? choice.delta?.refusal;
    if (piece) {
      this.text += piece;
      this.onText(piece);
    }
    this.own = withMore(this.own, choice.delta, ofMessage);
    for (const delta of choice.delta?.tool_calls ?? []) this.addToolCall(delta);
    this.finishReason = choice.finish_reason ?? this.finishReason;
  }

  private addToolCall(delta: ChatCompletionChunk.Choice.Delta.ToolCall): void {
    const { index, id, function: called } = delta;
    const name = called?.name ?? '';
    const last = this.toolCalls.findLast((call) => index === undefined || call.index === index);
    // A call's name is complete before its arguments begin. Another name after that starts another call, even without index and id.
    const another = last?.arguments && name && name !== last.name;
    const continues = last && !another && (!id || id === last.id || !last.id);
    const call: Call = continues ? last : { index, id: '', name: '', arguments: '' };
    if (!continues) this.toolCalls.push(call);
    call.id ||= id ?? '';
    // Some servers send the name in fragments, others repeat it with every fragment of the arguments.
    if (name !== call.name) call.name += name;
    call.arguments += called?.arguments ?? '';
    call.own = withMore(call.own ?? {}, delta, ofCall);
  }

  finish(): Collected {
    const { finishReason } = this;
    if (finishReason === 'content_filter') throw new ModelRejected('The model refused the content.');
    if (!finishReason || finishReason === 'error') throw new ModelUnavailable("The model's answer broke off.");
    // A message without text is not stored, so its data goes with the first call.
    const message: ItsOwn = isEmpty(this.own) ? {} : { message: this.own };
    const isWithCall = !this.text.trim() || 'reasoning_content' in this.own;
    const toolCalls = this.toolCalls.map(({ id, name, arguments: args, own = {} }, index) => {
      const opaque: ItsOwn = { ...(isWithCall && index === 0 && message), ...(!isEmpty(own) && { call: own }) };
      return { id, name, arguments: args, ...(!isEmpty(opaque) && { opaque }) };
    });
    // Reasoning before a reply without calls is dropped, because some servers reject it.
    const isWithText = !isWithCall && message.message;
    return {
      text: this.text,
      toolCalls,
      usage: this.usage,
      ...(isWithText && { opaque: message }),
      ...(cutOff.includes(finishReason) && { cutOff: finishReason }),
    };
  }
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Adds the fields of a delta. Texts and lists are appended, anything else is replaced. */
function withMore(own: Record<string, unknown>, delta: object | undefined, fields: string[]): Record<string, unknown> {
  const more = { ...own };
  for (const field of fields) {
    const value = (delta as Record<string, unknown> | undefined)?.[field];
    const before = more[field];
    if (value === undefined || value === null) continue;
    if (typeof value === 'string' && typeof before === 'string') more[field] = before + value;
    else more[field] = Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value;
  }
  return more;
}

/** DeepSeek counts cached input in a field of its own. */
function usageOf(usage: CompletionUsage & { prompt_cache_hit_tokens?: number }): Usage {
  const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = usage;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    ...noUsage,
    inputTokens,
    outputTokens,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(reasoning !== undefined && { reasoningTokens: reasoning }),
  };
}
