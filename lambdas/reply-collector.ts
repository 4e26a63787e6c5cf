import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Reply } from '../core/decide';
import { ModelRejected, ModelUnavailable } from '../core/errors';
import { noUsage, type Usage } from '../core/schemas';

/** Puts a streamed reply together. Servers differ: tool calls come whole or in fragments, with or without an index. */
export class ReplyCollector {
  private text = '';
  private readonly toolCalls: (Reply['toolCalls'][number] & { index?: number })[] = [];
  private finishReason: string | null = null;
  private usage?: Usage;

  constructor(private readonly onText: (piece: string) => void) {}

  add({ choices, usage }: ChatCompletionChunk): void {
    if (usage) {
      const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = usage;
      this.usage = { ...noUsage, inputTokens, outputTokens };
    }
    const choice = choices?.[0];
    if (!choice) return;
    const piece = choice.delta?.content ?? choice.delta?.refusal;
    if (piece) {
      this.text += piece;
      this.onText(piece);
    }
    for (const delta of choice.delta?.tool_calls ?? []) this.addToolCall(delta);
    this.finishReason = choice.finish_reason ?? this.finishReason;
  }

  private addToolCall({ index, id, function: called }: ChatCompletionChunk.Choice.Delta.ToolCall): void {
    const name = called?.name ?? '';
    const last = this.toolCalls.findLast((call) => index === undefined || call.index === index);
    // A name is out before its arguments begin: another one after that is another call, where neither index nor id says so.
    const another = last?.arguments && name && name !== last.name;
    const goesOn = last && !another && (!id || id === last.id || !last.id);
    const call = goesOn ? last : { index, id: '', name: '', arguments: '' };
    if (!goesOn) this.toolCalls.push(call);
    call.id ||= id ?? '';
    // Some servers send the name in fragments, others the whole of it with every fragment of the arguments.
    if (name !== call.name) call.name += name;
    call.arguments += called?.arguments ?? '';
  }

  /** @returns without `usage` from a server that counts nothing. */
  finish(): Reply & { usage?: Usage } {
    if (this.finishReason === 'content_filter') throw new ModelRejected('The model refused the content.');
    if (!this.finishReason || this.finishReason === 'error')
      throw new ModelUnavailable("The model's answer broke off.");
    const toolCalls = this.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    return { text: this.text, toolCalls, usage: this.usage };
  }
}
