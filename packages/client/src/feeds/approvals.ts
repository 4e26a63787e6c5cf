import type { AnswerCallback, WaitingApproval } from '../api-types';
import { pagesOf } from '../pages';
import type { Parts } from './conversation';
import { type Feed, newFeed, type Status } from './feed';
import { secondLook } from './second-look';
import { untilFresh } from './until-fresh';

export interface ApprovalsState {
  status: Exclude<Status, 'gone'>;
  /** The approvals and questions that wait for the user, in the conversations of others as well, the newest last. */
  approvals: readonly WaitingApproval[];
  /** The reason for `failed`. */
  error?: Error;
}

/** The list of what waits for the user's decision or answer, as it changes. */
export interface ApprovalsFeed extends Feed<ApprovalsState> {
  /** Reads it, also without a subscription. What fails is in the state. */
  read(): Promise<void>;
  /** Decides about an approval, or answers a question. @throws RequestFailed, with 409 if somebody else was first. */
  answer(waiting: WaitingApproval, answer: AnswerCallback): Promise<void>;
}

export function approvalsFeed({ api, live }: Pick<Parts, 'api' | 'live'>): ApprovalsFeed {
  const feed = newFeed<ApprovalsState>({ status: 'loading', approvals: [] }, () => {
    const leave = live.follow(
      { approvals: true },
      { subscribed: readTwice, pong: () => void read(), heard: readTwice },
    );
    return () => {
      again.cancel();
      leave();
    };
  });

  const read = untilFresh(async () => {
    try {
      const approvals: WaitingApproval[] = [];
      for await (const page of pagesOf(api.approvals)) approvals.push(...page.approvals);
      feed.change({ status: 'ready', approvals, error: undefined });
    } catch (error) {
      feed.failed(error);
    }
  });
  const again = secondLook(read);

  function readTwice(): void {
    void read();
    again.order();
  }

  return {
    getSnapshot: feed.getSnapshot,
    subscribe: feed.subscribe,
    read,
    async answer({ conversationId, callback: { id } }, answer) {
      try {
        await api.answer(conversationId, id, answer);
        feed.change({ approvals: feed.getSnapshot().approvals.filter(({ callback }) => callback.id !== id) });
      } finally {
        readTwice();
      }
    },
  };
}
