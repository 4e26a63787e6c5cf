import OpenAI from 'openai';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Reply } from '../core/decide';
import { ModelRejected, ModelUnavailable } from '../core/errors';
import type { Model } from '../core/model';
import type { Usage } from '../core/schemas';
import { modelTool } from '../core/tool';
import { modelError } from './model-errors';

/** How long the server may be silent before we give up on it. */
const silenceMs = 120_000;

/**
 * Any server of the OpenAI chat completions API. No retries here: the state machine retries, with backoff, and nothing
 * waits in a Lambda that is paid for.
 *
 * @param model overrides what the agents say.
 */
export function openaiModel(
  key: { get(): Promise<string>; forget(): void },
  baseURL?: string,
  override?: string,
): Model {
  return {
    async reply({ agent, messages, signal, onText }) {
      const model = override ?? agent.model;
      const apiKey = await key.get();
      const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: silenceMs, logLevel: 'off' });
      const silence = new AbortController();
      let timer = setTimeout(() => silence.abort(), silenceMs);
      const collected = new ReplyCollector(onText);
      try {
        const stream = await client.chat.completions.create(
          {
            model,
            messages,
            stream: true,
            stream_options: { include_usage: true },
            ...(agent.tools.length > 0 && { tools: agent.tools.map(modelTool) }),
          },
          { signal: AbortSignal.any([signal, silence.signal]) },
        );
        for await (const chunk of stream) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), silenceMs);
          collected.add(chunk);
        }
        // An aborted stream ends without an error.
        if (signal.aborted) throw new ModelUnavailable('The model call ran out of time.');
        if (silence.signal.aborted)
          throw new ModelUnavailable(`The model's server was silent for ${silenceMs / 1000} s.`);
        return collected.finish();
      } catch (error) {
        if (error instanceof ModelUnavailable || error instanceof ModelRejected) throw error;
        if ((error as { status?: number }).status === 401) key.forget();
        throw modelError(error, model);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Puts a streamed reply together. Servers differ: tool calls come whole or in fragments, with or without an index. */
class ReplyCollector {
  private text = '';
  private readonly toolCalls: (Reply['toolCalls'][number] & { index?: number })[] = [];
  private finishReason: string | null = null;
  private usage: Usage = { modelCalls: 1, toolCalls: 0, inputTokens: 0, outputTokens: 0 };

  constructor(private readonly onText: (piece: string) => void) {}

  add({ choices, usage }: ChatCompletionChunk): void {
    if (usage) {
      this.usage.inputTokens = usage.prompt_tokens ?? 0;
      this.usage.outputTokens = usage.completion_tokens ?? 0;
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
    const last = this.toolCalls.findLast((call) => index === undefined || call.index === index);
    const goesOn = last && (!id || id === last.id || !last.id);
    const call = goesOn ? last : { index, id: '', name: '', arguments: '' };
    if (!goesOn) this.toolCalls.push(call);
    call.id ||= id ?? '';
    call.name += called?.name ?? '';
    call.arguments += called?.arguments ?? '';
  }

  finish(): Reply & { usage: Usage } {
    if (this.finishReason === 'content_filter') throw new ModelRejected('The model refused the content.');
    if (!this.finishReason) throw new ModelUnavailable("The model's answer broke off.");
    const toolCalls = this.toolCalls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    return { text: this.text, toolCalls, usage: this.usage };
  }
}
