import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Agent } from './agent';
import type { Reply } from './decide';
import type { Price } from './prices';
import type { Usage } from './schemas';

export interface ModelRequest {
  agent: Agent;
  messages: ChatCompletionMessageParam[];
  /** Aborted when the reply is no longer wanted. */
  signal: AbortSignal;
  /** Called with each piece of text as it comes. */
  onText(piece: string): void;
}

/** A language model, wherever it runs. */
export interface Model {
  /** @throws ModelThrottled, ModelUnavailable, ModelRejected, ConfigurationError. */
  reply(request: ModelRequest): Promise<Reply & { usage: Usage }>;
  /** The model that an agent's steps really ask, and what it costs; undefined where nobody has put a price on it. */
  priceOf(agent: Agent): { model: string; price?: Price };
}
