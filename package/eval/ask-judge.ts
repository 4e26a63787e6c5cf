import OpenAI from 'openai';
import { priceOf } from '../../core/base/models/price-list';
import { noUsage } from '../../core/base/state/schemas';
import { type Prices, priced } from '../../core/conversations/agent/prices';
import { JudgeFailed, type Question } from './judge';
import type { Used } from './trial';

/** Asks a model, and adds what that has used to a sum: without one, to that of all judges. */
export type AskAndCount = (question: Question, sum?: Used) => Promise<unknown>;

/** Where judges are asked, and personas. */
export interface JudgeModel {
  ask: AskAndCount;
  /** What all questions have used together that have no sum of their own. */
  used(): Used;
}

const timeoutMs = 300_000;

/**
 * Asks models by the chat completions API, with structured output. A question that fails for a passing reason is asked three
 * times.
 *
 * @param place the base URL, such as that of kept replies, and a key.
 */
export function openJudge(place: { baseURL: string; apiKey: string; prices: Prices }): JudgeModel {
  const { prices, ...connection } = place;
  const client = new OpenAI({ ...connection, maxRetries: 2, timeout: timeoutMs, logLevel: 'off' });
  const used: Used = { steps: 0, tokens: 0, costMicrodollars: 0 };
  return {
    used: () => ({ ...used }),
    async ask({ model, instructions, data, schema }, sum = used) {
      const reply = await client.chat.completions
        .create({
          model,
          messages: [
            { role: 'system', content: instructions },
            { role: 'user', content: JSON.stringify(data) },
          ],
          response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
        })
        .catch((error: Error) => {
          throw new JudgeFailed(`the model has not answered: ${error.message}`);
        });
      const { prompt_tokens: inputTokens = 0, completion_tokens: outputTokens = 0 } = reply.usage ?? {};
      sum.steps += 1;
      sum.tokens += inputTokens + outputTokens;
      sum.costMicrodollars += priced(
        { ...noUsage, inputTokens, outputTokens },
        priceOf(model, prices, place.baseURL),
      ).costMicrodollars;
      const text = reply.choices?.[0]?.message?.content ?? '';
      try {
        return JSON.parse(text);
      } catch {
        throw new JudgeFailed('the model has not answered in JSON: ask a model with structured output');
      }
    },
  };
}
