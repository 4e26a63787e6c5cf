// core: the kernel, in four floors. This file is the port by which features enter that an app lists or leaves out.

import type { Push, RowChange, UserChange } from './people/live/broadcast';
import type { Counted } from './people/live/counted';

/**
 * Hears of the changes that were committed, from the table's stream, and begins what follows from them elsewhere. Nothing waits for it.
 *
 * The stream may deliver a change again, so what is begun has an id that derives from the rows.
 */
export interface Listener<Item extends object = object> {
  /** What an item is, for the log: `a span`. */
  what: string;
  /** Makes items of a change in a conversation. An error is logged, and loses these items only. */
  of(change: RowChange): readonly Item[];
  /** Likewise, of a user's own row. */
  ofUser?(change: UserChange): readonly Item[];
  /** What open pages are told of an item at once. */
  pushes?(item: Item): readonly Push[];
  /** @returns the sequence numbers of the changes that the stream must deliver again. */
  begin(items: readonly Heard<Item>[]): Promise<string[]>;
}

/** An item, and the sequence number of its change in the stream. */
export type Heard<Item extends object> = Item & { sequenceNumber: string };

/** Hides what the items are, which the listener alone needs to know. */
export const listener = <Item extends object>(one: Listener<Item>): Listener => one as unknown as Listener;

/** A command that a module adds to the command line: `vigil mcp`. */
export interface ModuleCommand {
  name: string;
  /** Lines of the help, without `vigil` and the name. */
  help: readonly string[];
  /** @returns whether it has gone well: otherwise the exit code is 1. @throws Error in one line. */
  run(args: string[], say: (text: string) => void): Promise<boolean>;
}

/**
 * A feature that is one folder, `modules/<name>`: what functions load of it. Functions get the modules that the app has, as they get its
 * agents; what an app does not list is in no bundle. The folder's `construct.ts` has what is deployed (`infra/module.ts`), and its folder
 * `functions` the functions.
 */
export interface Module {
  name: string;
  listeners?: readonly Listener[];
  /** Returns what a change in a conversation adds to the metrics. It depends only on the row before and after the change. */
  counts?(change: RowChange): Counted[];
}
