import { factsOf } from '../../core/base/models/models';
import type { ModelChoice } from '../../core/base/models/provider';
import { ModelUnavailable, ReplyPending } from '../../core/base/text/errors';
import type { Background } from '../../core/conversations/agent/model';
import { secondsListening } from '../../core/conversations/replies/pending-reply';
import { statusOf } from './model-errors';

/** A server that has not answered by then does so at the next attempt. */
const answerSeconds = 30;

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
  private hasSpoken = false;
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
    if (this.isFetched) this.listen(answerSeconds);
  }

  /** The reply that is fetched; undefined if it is to be begun. */
  get fetched(): string | undefined {
    return this.isFetched ? this.id : undefined;
  }

  /** Aborted when the reply has said nothing for some time. */
  get signal(): AbortSignal {
    return this.quiet.signal;
  }

  /**
   * Called for each event. The first one of a reply that has begun tells its id, which is stored. Those of one that is fetched follow each
   * other until it is told as far as it has come.
   */
  async heard(idIn: () => string | undefined): Promise<void> {
    if (this.isFetched) return this.listen(secondsListening.fetched);
    if (this.id !== undefined) return;
    const id = idIn();
    if (id === undefined) return;
    this.id = id;
    try {
      const { name: provider, isTold } = this.provider;
      await this.background.begun({ provider, id, isTold });
    } catch (error) {
      await this.cancel(id).catch(() => undefined);
      throw error;
    }
    this.listen(secondsListening.begun);
  }

  /** The reply has begun to speak, and is followed to its end. */
  spoken(): void {
    this.hasSpoken = true;
    this.close();
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

  private listen(seconds: number): void {
    if (this.hasSpoken) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.quiet.abort(), seconds * 1_000);
  }
}
