import type { Item } from '../../base/content/items';
import type { FilePart } from '../../base/content/parts';
import type { HostedUse, Reference } from '../../base/content/sources';
import type { Price } from '../../base/models/models';
import type { GuardVerdict } from '../../base/schemas/guard-verdict';
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

/** A file that a model or a tool of its provider has made, or why its bytes are not here. */
export type MadeFile = { filename?: string } & ({ bytes: Uint8Array; mediaType: string } | { problem: string });

/** The files of a reply that are stored, and words about those that are not. */
export interface KeptFiles {
  files: FilePart[];
  notes: string[];
}

/** A model's reply, assembled from its stream. */
export interface Reply {
  text: string;
  /** What it has beside its text. */
  files?: MadeFile[];
  toolCalls: Asked[];
  /** Data that the provider needs back with the text, see `Opaque`. */
  opaque?: unknown;
  /** The provider's reason for cutting off the reply, in its own term: `length`, `max_output_tokens`. */
  cutOff?: string;
  /** What the provider's own tools did. */
  hosted?: HostedUse[];
  /** What the text cites. */
  citations?: Reference[];
  /** The provider's own guardrail has replaced the text, or has refused the request or the reply; `reason` are then its words. */
  guardrail?: GuardVerdict;
}

/**
 * What a provider may keep of a request, for the next one that begins with it.
 *
 * - `none`: nothing is written. The next request comes when it would be gone, or begins otherwise.
 * - `minutes`: as long as the provider keeps it by default, five minutes or more.
 * - `hour`: an hour, where the provider sells that.
 */
export interface Caching {
  /** Requests with the same key begin alike: the id of the conversation, of the first one for its other versions. */
  key: string;
  lasts: 'none' | 'minutes' | 'hour';
}

/** What a file says, or why that cannot be read. */
export type FileText = { text: string; isWhole: boolean } | { problem: string };

export interface ModelRequest {
  /** Supplies the instructions, tools and model. */
  agent: Instructed;
  items: Item[];
  /** Without it, nothing is asked of the provider's cache. */
  cache?: Caching;
  /**
   * Reads the bytes of a file of the items, or the first of them. Absent if the deployment stores no files.
   *
   * @throws NotFound if the conversation refers to it no more.
   * @throws Throttled if the store does not answer.
   */
  readFile?(file: FilePart, firstBytes?: number): Promise<Uint8Array>;
  /** Notes in the table what has become of the files of the items. */
  reading?: Reading;
  /** The bytes that a file of the reply may have. Absent if the deployment stores no files: then none is fetched. */
  fileBytes?: number;
  /** Aborted when the reply is no longer wanted. */
  signal: AbortSignal;
  /** Called with each piece of text as it arrives. */
  onText(piece: string): void;
  /** Absent if the caller does not wait for a reply in the background. */
  background?: Background;
}

type Named = Pick<FilePart, 'id' | 'filename'>;

/** What people need to know of a file that a model has read in part (`isRead`), or not at all. */
export interface AboutFile {
  isRead: boolean;
  /** Why it is not shown, or what is guessed and left out of its text. */
  words: string;
}

export interface Reading {
  /** Called before a document is read. @returns false if it has ended two readers: then it is left out. */
  begin(file: Named): Promise<boolean>;
  /** Called if its reader has survived. */
  end(file: Named): Promise<void>;
  /** @returns why the model's provider has refused a file that was read; undefined if it has not. */
  refusal(file: Named): Promise<string | undefined>;
  /** Called with the provider's words when it has refused a file: it would be in each later request. */
  refused(file: Named, why: string): Promise<void>;
  /** Called for each file of the request that is not shown whole. */
  tell(file: Named, about: AboutFile): void;
}

/** A reply that the provider makes in the background, where it and the model can. */
export interface Background {
  /** The provider's id of the reply that an earlier request has begun. It is fetched instead of begun. */
  id?: string;
  /**
   * Called for a reply that has just begun. If it rejects, nobody waits for the reply, and it is cancelled.
   *
   * @param of.isTold whether the provider tells by a webhook that the reply is over.
   */
  begun(of: { provider: string; id: string; isTold?: boolean }): Promise<void>;
}

/** A reply that a provider has begun in the background. */
export interface BegunReply {
  provider: string;
  /** The provider's id. */
  id: string;
  model: string;
  expected: Usage;
}

export interface AboutModel {
  model: string;
  /** The maker, which alone can read the model's opaque data, see `Opaque`. */
  maker: string;
  /** With `isGuess` if none is known. */
  price: Price;
}

/** The language models of a deployment. */
export interface Model {
  /**
   * @throws ModelThrottled, ModelUnavailable, ModelUnreadable, ModelRejected, ConfigurationError.
   * @throws ReplyPending if the provider still makes the reply, whose id `background` has or was told.
   */
  reply(request: ModelRequest): Promise<Reply & { usage: Usage }>;
  /**
   * Cancels a reply that a provider makes in the background. One that is complete stays as it is.
   *
   * @returns what the reply has used, as the provider says or as it was expected.
   */
  cancel?(reply: BegunReply): Promise<Usage>;
  /** Returns the model that an agent's steps call, after all overrides. */
  about(agent: Agent): AboutModel;
}
