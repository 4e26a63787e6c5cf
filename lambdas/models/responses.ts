import type {
  ResponseCreateParamsStreaming,
  ResponseInputItem,
  ResponseReasoningItem,
} from 'openai/resources/responses/responses';
import { factsOf } from '../../core/base/models/models';
import { modelTool } from '../../core/base/schemas/model-tool';
import type { Item } from '../../core/base/state/items';
import { formatOf, instructionsOf } from '../../core/conversations/agent/typed-answer';
import type { Api, Asking } from './api';
import { isOpenaiFailure, openaiEvents } from './openai-client';
import { ResponseReply, responseFailure } from './responses-reply';

/**
 * OpenAI's Responses API, see https://developers.openai.com/api/docs/guides/reasoning. OpenAI stores nothing: the encrypted reasoning
 * is kept with the step and sent again before the item that it led to.
 */
export const responses: Api = {
  open: (connection, asking, signal) =>
    openaiEvents(connection, (client) => client.responses.create(requestOf(asking), { signal })),
  collector: (onText) => new ResponseReply(onText),
  failureIn: responseFailure,
  isFailure: isOpenaiFailure,
};

function requestOf({ agent, items }: Asking): ResponseCreateParamsStreaming {
  const { name: model, effort, verbosity, maxOutputTokens, temperature, extra } = agent.model;
  const tools = agent.tools.map(modelTool).map((tool) => ({ type: 'function' as const, ...tool }));
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
export interface ItsOwn {
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
