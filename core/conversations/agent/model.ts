import type { Price } from '../../base/models/models';
import type { Item } from '../../base/state/items';
import type { Usage } from '../../base/state/schemas';
import type { Agent, Instructed } from './agent';

/** A tool call as the model requested it. */
export interface Asked {
  id: string;
  name: string;
  arguments: string;
  /** Data that the provider needs back with the call, see `Opaque`. */
  opaque?: unknown;
}

/** A model's reply, assembled from its stream. */
export interface Reply {
  text: string;
  toolCalls: Asked[];
  /** Data that the provider needs back with the text, see `Opaque`. */
  opaque?: unknown;
  /** The provider's reason for cutting off the reply, in its own term: `length`, `max_output_tokens`. */
  cutOff?: string;
}

export interface ModelRequest {
  /** Supplies the instructions, tools and model. */
  agent: Instructed;
  items: Item[];
  /** What the provider's prompt cache may keep of the request. Absent for a request that is not repeated. */
  cache?: { key: string; lasts: 'none' | 'minutes' | 'hour' };
  /** Aborted when the reply is no longer wanted. */
  signal: AbortSignal;
  /** Called with each piece of text as it arrives. */
  onText(piece: string): void;
}

export interface AboutModel {
  model: string;
  /** The maker, which alone can read the model's opaque data, see `Opaque`. */
  maker: string;
  /** Undefined if the price list has none. */
  price?: Price;
}

/** The language models of a deployment. */
export interface Model {
  /** @throws ModelThrottled, ModelUnavailable, ModelUnreadable, ModelRejected, ConfigurationError. */
  reply(request: ModelRequest): Promise<Reply & { usage: Usage }>;
  /** Returns the model that an agent's steps call, after all overrides. */
  about(agent: Agent): AboutModel;
}
