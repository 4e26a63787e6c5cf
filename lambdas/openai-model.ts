import OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Agent } from '../core/agent';
import { ModelUnavailable } from '../core/errors';
import type { Model } from '../core/model';
import { modelTool } from '../core/model-tool';
import { costOf, estimatedUsage, type Prices } from '../core/prices';
import { modelError, statusOf } from './model-errors';
import type { ModelKey } from './model-key';
import { ReplyCollector } from './reply-collector';

/**
 * How long the server may be silent before we give up on it. Reasoning models think for minutes without a word; what they
 * may take in all is the Lambda's deadline.
 */
const silenceMs = 240_000;

/**
 * Any server of the OpenAI chat completions API. No retries here: the state machine retries, with backoff, and nothing
 * waits in a Lambda that is paid for.
 *
 * Only what the SDK throws is a failure of the server; whatever else goes wrong is ours, and passes as it is.
 *
 * @param settings.override the model, whatever the agents say.
 */
export function openaiModel(
  key: ModelKey,
  { baseURL, override, prices = {} }: { baseURL?: string; override?: string; prices?: Prices } = {},
): Model {
  const modelOf = (agent: Agent) => override ?? agent.model;
  return {
    priceOf: (agent) => ({ model: modelOf(agent), price: prices[modelOf(agent)] }),
    async reply({ agent, messages, signal, onText }) {
      const model = modelOf(agent);
      const request: ChatCompletionCreateParamsStreaming = {
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(agent.tools.length > 0 && { tools: agent.tools.map(modelTool) }),
      };
      const apiKey = await key.get();
      const client = new OpenAI({ apiKey, baseURL, maxRetries: 0, timeout: silenceMs, logLevel: 'off' });
      const silence = new AbortController();
      let timer = setTimeout(() => silence.abort(), silenceMs);

      const cutOff = () => {
        if (signal.aborted) return new ModelUnavailable('The model call ran out of time.');
        if (!silence.signal.aborted) return undefined;
        return new ModelUnavailable(`The model's server was silent for ${silenceMs / 1000} s.`);
      };
      async function failureOf(error: unknown): Promise<Error> {
        const cut = cutOff();
        if (cut) return cut;
        if (statusOf(error) === 401 && (await key.replaced(apiKey))) {
          return new ModelUnavailable("The model's server refused the key (401); the secret holds another one by now.");
        }
        return modelError(error, model);
      }

      const collected = new ReplyCollector(onText);
      try {
        const chunks = chunksOf(client, request, AbortSignal.any([signal, silence.signal]), failureOf);
        for await (const chunk of chunks) {
          clearTimeout(timer);
          timer = setTimeout(() => silence.abort(), silenceMs);
          collected.add(chunk);
        }
      } finally {
        clearTimeout(timer);
      }
      // An aborted stream ends without an error.
      const cut = cutOff();
      if (cut) throw cut;
      const reply = collected.finish();
      const price = prices[model];
      const usage =
        reply.usage ?? estimatedUsage({ agent, messages }, JSON.stringify([reply.text, reply.toolCalls]), price);
      return { ...reply, usage: { ...usage, modelCalls: 1, costMicrodollars: costOf(price, usage) } };
    },
  };
}

/** What comes over the wire. An error that its reader throws does not pass through here, so that it is not mapped. */
async function* chunksOf(
  client: OpenAI,
  request: ChatCompletionCreateParamsStreaming,
  signal: AbortSignal,
  failureOf: (error: unknown) => Promise<Error>,
): AsyncGenerator<ChatCompletionChunk> {
  const stream = await client.chat.completions.create(request, { signal }).catch(async (error: unknown) => {
    // A request that cannot be put into JSON or into headers never left this process.
    throw error instanceof OpenAI.APIError ? await failureOf(error) : error;
  });
  try {
    for await (const chunk of stream) if (typeof chunk === 'object' && chunk !== null) yield chunk;
  } catch (error) {
    throw await failureOf(error);
  }
}
