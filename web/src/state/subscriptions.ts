import type { LiveSocket } from '../network/live-socket';

/** What can be subscribed to. */
export type Topic = { list: true } | { conversationId: string };

/**
 * What the page has asked the live view for and has no acknowledgement of. An error need not say which request it is about
 * (API Gateway's own do not), so what is unacknowledged then is asked for again, after a pause that grows.
 */
export interface Subscriptions {
  subscribe(topic: Topic): void;
  unsubscribe(conversationId: string): void;
  /** There is nothing to subscribe to. */
  forget(conversationId: string): void;
  acknowledged(topic: Topic): void;
  /** Asks again for all that is unacknowledged. */
  again(): void;
  /** Something was refused: another try, or what is to be done instead, in a while. */
  later(retry?: () => void): void;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

export function subscriptions(send: LiveSocket['send']): Subscriptions {
  /** By the conversation's id; the list's has none. */
  const unacknowledged = new Map<string | undefined, Topic>();
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
      // One try for all that is refused in the meantime.
      if (timer) return;
      timer = setTimeout(() => {
        timer = undefined;
        retry();
      }, pauseMs);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    },
  };
}

const idOf = (topic: Topic): string | undefined => ('list' in topic ? undefined : topic.conversationId);
