// core/base/content: the items of a transcript, the parts of a message, and the sources of words.

import type { GuardedFile } from './parts';

/**
 * An item of a transcript, in reading order. Each provider's adapter converts it to its API's format.
 *
 * The calls of a reply follow its message, if it has text. The results of all its calls follow them. Files come after the text that names them.
 */
export type Item =
  | { kind: 'message'; by: 'user' | 'assistant'; text: string; files?: GuardedFile[]; opaque?: unknown }
  | { kind: 'call'; id: string; tool: string /** JSON of an object. */; arguments: string; opaque?: unknown }
  | {
      kind: 'result';
      callId: string;
      text: string;
      files?: GuardedFile[];
      /** Whether there is more of it: see `decisions/read-on.ts`. */
      isCut?: true;
    };

/** Data that a provider sends with a message or a call and needs back, such as encrypted reasoning. It goes back to its maker only. */
export interface Opaque {
  /** Provider, API and model, as `Model.about` names them. */
  maker: string;
  data: unknown;
}

/** Returns the transcript without the makers' opaque data. */
export const withoutOpaque = (items: readonly Item[]): Item[] =>
  items.map((item) => {
    if (item.kind === 'result') return item;
    const { opaque: _, ...rest } = item;
    return rest;
  });

/** Returns the files that a model gets with an item. Of those of a reply it has made itself, it reads the lines: no API takes them back. */
export const filesOfItem = (item: Item): readonly GuardedFile[] =>
  item.kind === 'result' || (item.kind === 'message' && item.by === 'user') ? (item.files ?? []) : [];

/** Returns the item with further words. A call has no words. */
export const withWords = (item: Item, words: readonly string[]): Item =>
  item.kind === 'call' || words.length === 0
    ? item
    : { ...item, text: [item.text, ...words].filter(Boolean).join('\n') };

export const hasOpaque = (items: readonly Item[]): boolean =>
  items.some((item) => item.kind !== 'result' && item.opaque !== undefined);
