import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Answer, Usage } from '../../../local/model-server/chat-completions';
import { encrypted, hostedId, reasons } from './responses-request';

type Delta = ChatCompletionChunk.Choice.Delta;
type Item = { type: string; id: string; [field: string]: unknown };

/** The Responses API's events for one reply: the reasoning, the message and the calls, each as an item. */
export function responsesWire({
  model,
  number,
  annotations = [],
}: {
  model: string;
  number: number;
  /** What the text cites. */
  annotations?: object[];
}) {
  let sequence = 0;
  const items: Item[] = [];
  let open: Item | undefined;
  const event = (type: string, fields: object) => ({ type, sequence_number: sequence++, ...fields });
  const response = (status: string, more: object = {}) => ({
    id: `resp_${number}`,
    object: 'response',
    created_at: 0,
    model,
    status,
    error: null,
    incomplete_details: null,
    output: items,
    parallel_tool_calls: true,
    instructions: null,
    metadata: null,
    tools: [],
    ...more,
  });

  function begin(item: Item): object[] {
    const closed = close();
    open = item;
    items.push(item);
    return [...closed, event('response.output_item.added', { output_index: items.length - 1, item })];
  }

  function close(status = 'completed'): object[] {
    if (!open) return [];
    const item = open;
    open = undefined;
    if (item.type !== 'reasoning' && item.status !== 'failed') item.status = status;
    return [event('response.output_item.done', { output_index: items.length - 1, item })];
  }

  return {
    head(thought?: string): object[] {
      const opening = [
        event('response.created', { response: response('in_progress') }),
        event('response.in_progress', { response: response('in_progress') }),
      ];
      if (thought === undefined || !reasons(model)) return opening;
      const id = `rs_${number}`;
      return [
        ...opening,
        ...begin({ type: 'reasoning', id, summary: [], encrypted_content: encrypted(model, thought) }),
      ];
    },
    /** The calls of hosted tools, each as an item. */
    hosted(given: readonly { type: string }[], thinks: boolean): object[] {
      return given.flatMap((one, index) =>
        begin({ id: hostedId(number, index, thinks && reasons(model)), status: 'in_progress', ...one }),
      );
    },
    delta({ content, tool_calls: calls = [] }: Delta): object[] {
      if (content) {
        const id = `msg_${number}`;
        const begun = open?.type === 'message' ? [] : begin({ type: 'message', id, role: 'assistant', content: [] });
        const part = { type: 'output_text', text: '', annotations };
        const parts = open!.content as (typeof part)[];
        if (!parts.length) parts.push(part);
        parts[0]!.text += content;
        const at = { item_id: id, output_index: items.length - 1, content_index: 0 };
        return [...begun, event('response.output_text.delta', { ...at, delta: content, logprobs: [] })];
      }
      return calls.flatMap(({ id, function: called }) => {
        const begun = id
          ? begin({ type: 'function_call', id: `fc_${id}`, call_id: id, name: called?.name, arguments: '' })
          : [];
        open!.arguments = `${open!.arguments}${called?.arguments ?? ''}`;
        const at = { item_id: open!.id, output_index: items.length - 1 };
        return [...begun, event('response.function_call_arguments.delta', { ...at, delta: called?.arguments ?? '' })];
      });
    },
    end({ finishReason }: Answer, usage: Usage | undefined): object[] {
      const isCut = finishReason === 'length' || finishReason === 'content_filter';
      const reason = finishReason === 'length' ? 'max_output_tokens' : finishReason;
      const closed = close(isCut ? 'incomplete' : 'completed');
      const counted = usage && { usage: usageOf(usage) };
      const whole = isCut
        ? response('incomplete', { incomplete_details: { reason }, ...counted })
        : response('completed', counted);
      return [...closed, event(isCut ? 'response.incomplete' : 'response.completed', { response: whole })];
    },
  };
}

type WithDetails = Usage & {
  cached?: number;
  written?: number;
  prompt_tokens_details?: { cached_tokens: number; cache_write_tokens: number };
};
const usageOf = ({
  prompt_tokens,
  completion_tokens,
  total_tokens,
  cached = 0,
  written = 0,
  ...more
}: WithDetails) => ({
  input_tokens: prompt_tokens,
  output_tokens: completion_tokens,
  total_tokens,
  input_tokens_details: more.prompt_tokens_details ?? { cached_tokens: cached, cache_write_tokens: written },
  output_tokens_details: { reasoning_tokens: 0 },
});
