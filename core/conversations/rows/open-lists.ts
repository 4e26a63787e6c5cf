/** The index of `openFor` and `openSince`. */
export const openIndex = 'byDecider';

/**
 * The lists of open rows: callbacks that a run waits for, timers that are still to fire, and conversations whose run is not over or can be
 * retried. Such a row has `openFor`, which names its list, and `openSince`, its place there. A callback's list is its decider.
 *
 * The index `byDecider` holds these rows and no others. It has all the lists, because an update of a stack can add one index only.
 */
export const openList = {
  timers: (user: string) => `timers:${user}`,
  /** Conversations whose run is not over. */
  active: (user: string) => `active:${user}`,
  /** Conversations whose run failed or reached a limit. */
  failed: (user: string) => `failed:${user}`,
  /** Rows that no list shows, and that Reconcile finds: timers that expire webhooks, and deleted conversations that are rolled back. */
  unseen: (user: string) => `unseen:${user}`,
  /** What is still to be done, by conversation, so that no partition of the index is hot. */
  todos: (conversationId: string) => `todos:${conversationId}`,
};

/** The attributes of a row that is in a list. */
export const openIn = (list: string, at: string, id: string) => ({ openFor: list, openSince: `${at} ${id}` });
