import { factsOf } from '../../core/base/models/models';
import type { ModelChoice } from '../../core/base/models/provider';
import { ModelUnavailable, ReplyPending } from '../../core/base/text/errors';
import type { Background } from '../../core/conversations/agent/model';
import { statusOf } from './model-errors';

/**
 * For how long CallModel listens to a reply that says nothing: one that has just begun, and one that is fetched, of which the provider sends
 * at once what there is. Then the execution waits for it, at no cost.
 */
export const listening = { begunMs: 5_000, fetchedMs: 1_000 };

/** Whether the provider makes the replies of a model in the background. Other servers than OpenAI's are asked to only if the choice says so. */
export const isInBackground = ({ name, background }: ModelChoice, isOpenai: boolean): boolean =>
  background ?? (isOpenai && factsOf(name).thinksLong === true);

/**
 * Follows one reply that a provider makes in the background. It is over when the provider says so. Until then, whatever goes wrong with the
 * connection leaves it pending; only a provider that no longer has it makes the model be asked again.
 */
export class Following {
  private id?: string;
  private readonly isFetched: boolean;
  private readonly quiet = new AbortController();
  private timer?: NodeJS.Timeout;

  /** @param cancel tells the provider to stop a reply that nobody waits for. */
  constructor(
    private readonly background: Background,
    private readonly provider: { name: string; isTold: boolean },
    private readonly cancel: (id: string) => Promise<unknown>,
  ) {
    this.id = background.id;
    this.isFetched = this.id !== undefined;
    if (this.isFetched) this.listen();
  }

  /** The reply that is fetched; undefined if it is to be begun. */
  get fetched(): string | undefined {
    return this.isFetched ? this.id : undefined;
  }

  /** Aborted when the reply has said nothing for some time. */
  get signal(): AbortSignal {
    return this.quiet.signal;
  }

  /** Stores the reply when its first event tells its id. */
  async heard(id: string | undefined): Promise<void> {
    if (this.id !== undefined || id === undefined) return;
    this.id = id;
    try {
      const { name: provider, isTold } = this.provider;
      await this.background.begun({ provider, id, isTold });
    } catch (error) {
      await this.cancel(id).catch(() => undefined);
      throw error;
    }
    this.listen();
  }

  /** The reply has begun to speak, and is followed to its end. */
  spoken(): void {
    clearTimeout(this.timer);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  /** Returns what an error of the connection means for a reply that has begun; undefined if it has not begun. */
  failure(error: unknown): Error | undefined {
    if (this.id === undefined) return undefined;
    if (this.isFetched && error !== undefined && statusOf(error) === 404)
      return new ModelUnavailable('The provider no longer has the reply that it began.', { cause: error });
    return new ReplyPending('The provider still makes the reply.', { cause: error });
  }

  private listen(): void {
    const { begunMs, fetchedMs } = listening;
    this.timer = setTimeout(() => this.quiet.abort(), this.isFetched ? fetchedMs : begunMs);
  }
}
