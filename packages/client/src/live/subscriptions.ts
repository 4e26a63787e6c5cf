import { newPauses } from '../again';
import type { LiveSocket } from './live-socket';

/** The target of a subscription. */
export type Topic = { list: true } | { approvals: true } | { conversationId: string };

/**
 * The subscriptions that are not acknowledged yet. An error may not name its request (API Gateway's own do not), so
 * every unacknowledged subscription is then requested again, after a growing pause.
 */
export interface Subscriptions {
  subscribe(topic: Topic): void;
  unsubscribe(topic: Topic): void;
  /** Drops a subscription that cannot exist. */
  forget(topic: Topic): void;
  acknowledged(topic: Topic): void;
  /** Requests all unacknowledged subscriptions again. */
  again(): void;
  /** Retries after a pause, by `again` or by the given function. */
  later(retry?: () => void): void;
}

export function subscriptions(send: LiveSocket['send']): Subscriptions {
  const unacknowledged = new Map<string, Topic>();
  const pauses = newPauses();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const again = () => {
    for (const topic of unacknowledged.values()) send({ action: 'subscribe', ...topic });
  };
  return {
    again,
    subscribe(topic) {
      unacknowledged.set(keyOf(topic), topic);
      send({ action: 'subscribe', ...topic });
    },
    unsubscribe(topic) {
      unacknowledged.delete(keyOf(topic));
      send({ action: 'unsubscribe', ...topic });
    },
    forget: (topic) => void unacknowledged.delete(keyOf(topic)),
    acknowledged(topic) {
      unacknowledged.delete(keyOf(topic));
      if (unacknowledged.size === 0) pauses.reset();
    },
    later(retry = again) {
      // One retry covers everything rejected in the meantime.
      if (timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        retry();
      }, pauses.next());
    },
  };
}

/** The conversation's id, or the topic's name. Ids have no spaces. */
export const keyOf = (topic: Topic): string =>
  'conversationId' in topic ? topic.conversationId : `the ${'list' in topic ? 'list' : 'approvals'}`;
