import { wellFormed } from '../../base/text/clip';
import { mostCharacters, wholeCharacters } from '../../base/text/sentences';
import type { Deltas, ReplyDeltas } from '../../machines/step/screen';
import type { ServerMessage } from './live';
import type { LiveTables } from './readers';
import { watchersOf } from './watching';

/** The shortest time between two deltas of a reply to one connection. */
export const deltaMs = 50;
/**
 * The time between two looks at who watches and may read, while text arrives: short at first, because a page opens a new conversation when it
 * has begun. Nothing is sent by an older look.
 */
const firstLookMs = 250;
export const lookMs = 1_000;
/** A post that takes longer is given up. */
const patienceMs = 2_000;

/** Both tables are only read. */
export interface DeltaOptions extends LiveTables {
  /** Posts a frame to a connection. @throws GoneException if it has ended. */
  post(connectionId: string, frame: string, signal: AbortSignal): Promise<void>;
  now(): Date;
  /** Does the work after a pause, unless the returned function is called before. By default, `setTimeout` does. */
  later?(work: () => void, ms: number): () => void;
  /** What was not sent changes nothing but the time at which it is seen. */
  failed(error: Error, connectionId?: string): void;
}

/** A connection that shows the conversation: the place up to which it was sent the text, and whether a post is on its way. */
interface Watcher {
  at: number;
  isBusy: boolean;
}

/**
 * Sends the words of replies to those who watch, as they come. The rows of a reply (`core/conversations/store/pieces.ts`) have the same text and are pushed
 * as well, so a delta may be lost, late, or sent by an attempt that has lost its step: clients merge both.
 *
 * - Who watches, and may read the conversation, is asked when the first words come, some times soon after, and every second while more come.
 *   What comes when that is longer ago waits for the next look. Without a watcher, nothing else happens.
 * - A connection has one post on its way, and the next one has all that came meanwhile. So a slow connection delays neither the others nor
 *   the model. One that cannot be reached is left alone until the next look; one that is gone, for good.
 * - Who comes in the middle of a reply gets its end, and reads the rest.
 */
export const deltasTo =
  (options: DeltaOptions): Deltas =>
  (reply, unwanted) =>
    new DeltaFeed(options, reply, unwanted);

function byTimeout(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

class DeltaFeed implements ReplyDeltas {
  private text = '';
  private readonly watchers = new Map<string, Watcher>();
  private readonly gone = new Set<string>();
  private nextLookAt = 0;
  /** When the look began by which `watchers` are known. */
  private lookedAt = Number.NEGATIVE_INFINITY;
  private pauseMs = firstLookMs;
  private isLooking = false;
  private sentAt = Number.NEGATIVE_INFINITY;
  private cancelDue: (() => void) | undefined;
  private isClosed = false;

  constructor(
    private readonly options: DeltaOptions,
    private readonly reply: { conversationId: string; seq: number; attempt: number },
    private readonly unwanted: AbortSignal,
  ) {}

  add(piece: string): void {
    this.text += piece;
    void this.look();
    this.plan();
  }

  close(): void {
    this.isClosed = true;
    this.cancelDue?.();
    // At once, because the function may be frozen soon.
    if (this.isKnown()) this.send();
    else void this.look();
  }

  private async look(): Promise<void> {
    const { now, failed } = this.options;
    const beganAt = performance.now();
    if (this.isLooking || beganAt < this.nextLookAt) return;
    this.isLooking = true;
    this.nextLookAt = beganAt + this.pauseMs;
    this.pauseMs = Math.min(2 * this.pauseMs, lookMs);
    try {
      const found = new Set(await watchersOf(this.options, this.reply.conversationId, now()));
      this.lookedAt = beganAt;
      for (const id of this.watchers.keys()) if (!found.has(id)) this.watchers.delete(id);
      const at = wholeCharacters(this.text, Math.max(0, this.text.length - mostCharacters));
      for (const id of found)
        if (!this.watchers.has(id) && !this.gone.has(id)) this.watchers.set(id, { at, isBusy: false });
    } catch (error) {
      failed(error as Error);
    }
    this.isLooking = false;
    // The reply may have ended meanwhile.
    if (this.isClosed) this.send();
    else this.plan();
  }

  /** Whether those who may read are known well enough. */
  private isKnown(): boolean {
    return performance.now() - this.lookedAt <= lookMs;
  }

  /** Arranges the next round, unless nobody waits for one. */
  private plan(): void {
    if (this.cancelDue || this.isClosed || this.waiting().length === 0) return;
    const { later = byTimeout } = this.options;
    this.cancelDue = later(() => this.send(), Math.max(0, this.sentAt + deltaMs - performance.now()));
  }

  private waiting(): [string, Watcher][] {
    const end = wholeCharacters(this.text, this.text.length);
    return [...this.watchers].filter(([, { at, isBusy }]) => !isBusy && at < end);
  }

  private send(): void {
    this.cancelDue = undefined;
    if (this.unwanted.aborted || !this.isKnown()) return;
    this.sentAt = performance.now();
    for (const [id, watcher] of this.waiting()) void this.sendTo(id, watcher);
  }

  private async sendTo(id: string, watcher: Watcher): Promise<void> {
    const { post, failed } = this.options;
    const { at: from } = watcher;
    const end = wholeCharacters(this.text, Math.min(this.text.length, from + mostCharacters));
    const text = wellFormed(this.text.slice(from, end));
    const delta = { type: 'delta', ...this.reply, from, text } satisfies ServerMessage;
    Object.assign(watcher, { at: end, isBusy: true });
    try {
      await post(id, JSON.stringify(delta), AbortSignal.any([this.unwanted, AbortSignal.timeout(patienceMs)]));
      watcher.isBusy = false;
      this.plan();
    } catch (error) {
      this.watchers.delete(id);
      if ((error as Error).name === 'GoneException') this.gone.add(id);
      // After the end, the function may have been frozen with a post on its way.
      else if (!this.unwanted.aborted && !this.isClosed) failed(error as Error, id);
    }
  }
}
