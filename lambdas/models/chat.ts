import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { modelTool } from '../../core/base/schemas/model-tool';
import type { Item } from '../../core/base/state/items';
import { formatOf, instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Api, Asking } from './api';
import { ChatReply } from './chat-reply';
import { failureOf } from './model-errors';
import { isOpenaiFailure, openaiEvents } from './openai-client';

/** The chat completions API, which nearly every server supports. */
export const chat: Api = {
  open: (connection, asking, signal) =>
    openaiEvents(connection, (client) => client.chat.completions.create(requestOf(asking), { signal })),
  collector: (onText) => new ChatReply(onText),
  failureIn: failureOf,
  isFailure: isOpenaiFailure,
};

function requestOf({
  agent,
  items,
  outputLimit = 'max_tokens',
  structuredOutput,
}: Asking): ChatCompletionCreateParamsStreaming {
  const { name: model, effort, verbosity, maxOutputTokens, temperature, extra } = agent.model;
  const tools = agent.tools.map(modelTool).map((tool) => ({ type: 'function' as const, function: tool }));
  return {
    model,
    messages: [{ role: 'system', content: instructionsOf(agent) }, ...messagesOf(items)],
    stream: true,
    stream_options: { include_usage: true },
    ...(tools.length > 0 && { tools }),
    ...(effort && { reasoning_effort: effort }),
    ...(verbosity && { verbosity }),
    ...(agent.output &&
      structuredOutput && { response_format: { type: 'json_schema' as const, json_schema: formatOf(agent.output) } }),
    ...(maxOutputTokens !== undefined && { [outputLimit]: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...extra,
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

/** Merges a message and the calls that follow it into one message. */
function messagesOf(items: readonly Item[]): ChatCompletionMessageParam[] {
  const messages: ChatCompletionMessageParam[] = [];
  let open: ChatCompletionAssistantMessageParam | undefined;
  for (const item of items) {
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
    if (item.kind === 'result') messages.push({ role: 'tool', tool_call_id: item.callId, content: item.text });
    else if (item.by === 'user') messages.push({ role: 'user', content: item.text });
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
