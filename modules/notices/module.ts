import { SFNClient } from '@aws-sdk/client-sfn';
import { listener, type Module } from '../../core/module';
import type { Push } from '../../core/people/live/broadcast';
import type { ServerMessage } from '../../core/people/live/live';
import { listTopic } from '../../core/people/live/subscriptions';
import { tableOfDeployment, variable } from '../../runtime/environment';
import { beginNotices } from './begin';
import type { Notice } from './notice';
import { authorityNoticeOf, grantNoticeOf, noticesOf } from './notice-of';
import { reachSk } from './rows';

const client = new SFNClient({});
const table = tableOfDeployment();

/** Broadcast begins the notices that a change makes, and tells their users' open pages. */
export const inFunctions: Module = {
  name: 'notices',
  listeners: [
    listener({
      what: 'a notice',
      of: (change) => noticesOf(change).map((notice) => ({ notice })),
      ofUser(change) {
        const notice = change.sk === reachSk ? grantNoticeOf(change) : authorityNoticeOf(change);
        return notice ? [{ notice }] : [];
      },
      pushes: ({ notice }) => pushesOf(notice),
      begin: (notices) => beginNotices(client, table, variable('NOTICE_MACHINE_ARN'), notices),
    }),
  ],
};

/** Tells the user's open pages what happened in a conversation. */
function pushesOf({ id, user, kind, conversationId, isAssigned }: Notice): Push[] {
  // What is assigned may be in another user's conversation. The inbox shows it.
  if (kind === 'grant' || conversationId === undefined || isAssigned) return [];
  const message: ServerMessage = { type: 'notice', id, kind, conversationId };
  return [{ topic: listTopic(user), frames: [JSON.stringify(message)] }];
}
