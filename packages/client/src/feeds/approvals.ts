import type { AnswerCallback, ApprovalPage, Callback, WaitingApproval } from '../api-types';
import { pagesOf } from '../pages';
import type { Parts } from './conversation';
import type { Feed, Status } from './feed';
import { listFeed } from './list-feed';

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
  /**
   * Decides about an approval, or answers a question.
   *
   * @returns the callback as it is stored. @throws RequestFailed, with 409 if somebody else was first.
   */
  answer(waiting: Answered, answer: AnswerCallback): Promise<Callback>;
}

/** What is answered: a `WaitingApproval`, or its ids. */
type Answered = Pick<WaitingApproval, 'conversationId'> & { callback: AnsweredCallback };
export type AnsweredCallback = Pick<Callback, 'id' | 'asked' | 'arguments'>;

/** If an earlier approver has changed the arguments, an approval says which ones its person has seen. */
export function seenAnswer({ asked, arguments: seen }: AnsweredCallback, answer: AnswerCallback): AnswerCallback {
  const isUnsaid = answer.approved && answer.arguments === undefined && answer.shown === undefined;
  return isUnsaid && asked !== undefined ? { ...answer, arguments: seen as AnswerCallback['arguments'] } : answer;
}

export function approvalsFeed({ api, live, isReadAtHome }: Pick<Parts, 'api' | 'live' | 'isReadAtHome'>) {
  /** A callback is answered once. A read that was on its way, or a late index, may still have it. */
  const answered = new Set<string>();
  const without = (approvals: readonly WaitingApproval[]) =>
    approvals.filter(({ callback }) => !answered.has(callback.id));

  const feed = listFeed<ApprovalsState, ApprovalPage>(
    { status: 'loading', approvals: [] },
    {
      // They are not pushed, only the news that they have changed.
      begin: (reads) => [live.follow({ approvals: true }, { ...reads, heard: () => feed.readTwice() })],
      async read(first) {
        const approvals: WaitingApproval[] = [];
        for await (const page of pagesOf(api.approvals, first)) approvals.push(...page.approvals);
        feed.change({ status: 'ready', approvals: without(approvals), error: undefined });
      },
      isReadElsewhere: isReadAtHome,
    },
  );

  return {
    getSnapshot: feed.getSnapshot,
    subscribe: feed.subscribe,
    read: feed.read,
    async answer({ conversationId, callback }, answer) {
      const { id } = callback;
      try {
        const stored = await api.answer(conversationId, id, seenAnswer(callback, answer));
        answered.add(id);
        feed.change({ approvals: without(feed.getSnapshot().approvals) });
        return stored;
      } finally {
        feed.readTwice();
      }
    },
  } satisfies ApprovalsFeed & { read(first?: Promise<ApprovalPage>): Promise<void> };
}
