import type { LiveSocket } from '../network/live-socket';

/** What can be subscribed to. */
export type Topic = { list: true } | { approvals: true } | { conversationId: string };

/**
 * The subscriptions that are not acknowledged yet. An error may not name its request (API Gateway's own do not), so
 * every unacknowledged subscription is then requested again, after a growing pause.
 */
export interface Subscriptions {
  subscribe(topic: Topic): void;
  unsubscribe(conversationId: string): void;
  /** Drops a subscription that cannot exist. */
  forget(conversationId: string): void;
  acknowledged(topic: Topic): void;
  /** Requests all unacknowledged subscriptions again. */
  again(): void;
  /** Retries after a pause, by `again` or by the given function. */
  later(retry?: () => void): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

export function subscriptions(send: LiveSocket['send']): Subscriptions {
  /** By the conversation's id, or the topic's name. */
  const unacknowledged = new Map<string, Topic>();
  let pauseMs = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const again = () => {
    for (const topic of unacknowledged.values()) send({ action: 'subscribe', ...topic });
  };
  return {
    again,
    subscribe(topic) {
      unacknowledged.set(idOf(topic), topic);
      send({ action: 'subscribe', ...topic });
    },
    unsubscribe(conversationId) {
      unacknowledged.delete(conversationId);
      send({ action: 'unsubscribe', conversationId });
    },
    forget: (conversationId) => void unacknowledged.delete(conversationId),
    acknowledged(topic) {
      unacknowledged.delete(idOf(topic));
      if (unacknowledged.size === 0) pauseMs = firstPauseMs;
    },
    later(retry = again) {
      // One retry covers everything rejected in the meantime.
      if (timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        retry();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    },
  };
}

/** Ids have no spaces. */
const idOf = (topic: Topic): string =>
  'conversationId' in topic ? topic.conversationId : `the ${Object.keys(topic)[0]}`;
