import type { Price } from '../models/models';
import type { Item } from '../state/items';
import type { Usage } from '../state/schemas';
import type { Agent } from './agent';

/** A tool call as the model asked for it. */
export interface Asked {
  id: string;
  name: string;
  arguments: string;
  /** What its provider wants back with the call, see `Opaque`. */
  opaque?: unknown;
}

/** A model's reply, put together from its stream. */
export interface Reply {
  text: string;
  toolCalls: Asked[];
  /** What its provider wants back with the text, see `Opaque`. */
  opaque?: unknown;
  /** Why the provider cut it off, in its own word: `length`, `max_output_tokens`. */
  cutOff?: string;
}

export interface ModelRequest {
  /** Whose instructions, tools and model these are. */
  agent: Agent;
  items: Item[];
  /** Aborted when the reply is no longer wanted. */
  signal: AbortSignal;
  /** Called with each piece of text as it comes. */
  onText(piece: string): void;
}

export interface AboutModel {
  model: string;
  /** Who can read what the model's replies hold for itself alone, see `Opaque`. */
  maker: string;
  /** Undefined where nobody has put one on it. */
  price?: Price;
}

/** A language model, wherever it runs. */
export interface Model {
  /** @throws ModelThrottled, ModelUnavailable, ModelRejected, ConfigurationError. */
  reply(request: ModelRequest): Promise<Reply & { usage: Usage }>;
  /** What an agent's steps really ask. */
  about(agent: Agent): AboutModel;
}
