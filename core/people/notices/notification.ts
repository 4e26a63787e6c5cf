import { decisionLines, fieldsOf, lineOf, named, quoted, seen } from 'vigil-client/shared';
import { namesOfFiles } from '../../base/content/parts';
import { clip } from '../../base/text/clip';
import { shownCharacters, wholeDecision } from '../../conversations/approvals/decision';
import { readStandings } from '../../conversations/approvals/standing';
import { assignmentOf } from '../../conversations/approvals/steps';
import { readCall } from '../../conversations/calls/call';
import { isOpen, readCallback } from '../../conversations/calls/callback';
import { readTimer } from '../../conversations/calls/timer';
import { key } from '../../conversations/rows/keys';
import type { Meta } from '../../conversations/rows/meta';
import { onlyReadable } from '../../conversations/rows/readable';
import { type StoredCallback, StoredMessage } from '../../conversations/rows/rows';
import { readLatestRows, readShownMeta, type Table } from '../../conversations/store/table';
import type { NoticeKind } from '../live/live';
import type { Notice } from './notice';

/** A notification, as a device shows it. Its browser shows two with the same `id` as one. */
export interface Notification {
  id: string;
  kind: Notice['kind'];
  /** Absent for a notice of a grant. */
  conversationId?: string;
  callbackId?: string;
  title: string;
  body: string;
  /** The place on the page that it leads to. */
  path: string;
  /**
   * For an approval that the notification shows completely: its digest. An approval from there has it, and the API checks that it is of
   * all that was asked.
   */
  shown?: string;
}

/**
 * Says what a notice is about. Without `words`, it names the agent and the tool, which are the deployment's, and quotes nothing.
 *
 * @returns undefined if it is of no interest any more: the conversation is deleted, or the callback is closed or assigned to another.
 */
export async function notificationOf(
  table: Table,
  notice: Notice,
  words: boolean,
  now: Date,
): Promise<Notification | undefined> {
  const { id, kind, conversationId, callbackId, user, isAssigned } = notice;
  if (kind === 'grant') return { id, kind, path: '/#/', ...grantWords(notice) };
  if (conversationId === undefined) return undefined;
  const meta = await readShownMeta(table, conversationId);
  if (!meta?.owner) return undefined;
  const callback = callbackId ? await readCallback(table, conversationId, callbackId) : undefined;
  if (callbackId && !(callback && isOpen(callback, now))) return undefined;
  const isOwn = meta.owner === user;
  if (isAssigned ? !callback || assignmentOf(callback)?.to !== user : !isOwn) return undefined;
  // Who is asked to decide may have lost the right meanwhile: the inbox shows them what they may read.
  const quotes = words && isOwn;
  const of = { ...notice, conversationId };
  // An approver finds it in the inbox, and sees nothing else of the conversation.
  const about = { id, kind, conversationId, callbackId, path: isOwn ? `/#/c/${conversationId}` : '/#/' };
  if (kind === 'allowed') {
    const said = await allowedWords(table, of, quotes);
    return said && { ...about, ...said };
  }
  const plain = plainWords(kind, meta, callback);
  const body = quotes ? await quotedWords(table, of, meta, callback) : '';
  const whole = quotes && kind === 'approval' ? wholeDecision(decisionOf(meta, callback!)) : undefined;
  // A title is a model's words. Over what waits for a person, Vigil says what it is.
  const titled = quotes && !callback ? clipped(seen(meta.title), titleCharacters) : '';
  return {
    ...about,
    title: titled || plain.title,
    body: body || plain.body,
    ...(whole && { shown: whole.digest }),
  };
}

/** Rows from before an approval said who asks are of the conversation's agent. */
const decisionOf = ({ agent }: Meta, callback: StoredCallback) => ({ agent, ...callback });

const titleCharacters = 60;

function plainWords(kind: Exclude<NoticeKind, 'allowed'>, { agent, run }: Meta, callback?: StoredCallback) {
  switch (kind) {
    case 'reminder':
      return { title: 'Reminder', body: 'A reminder of yours is due.' };
    case 'approval':
      return { title: 'Approval needed', body: `The ${agent} agent waits for your approval of ${callback?.tool}.` };
    case 'question':
      return { title: 'Question', body: `The ${agent} agent waits for your answer.` };
    case 'failure':
      return run?.status === 'limited'
        ? { title: 'Stopped', body: `The ${agent} agent has reached a limit.` }
        : { title: 'Failed', body: `The ${agent} agent could not finish.` };
    case 'answer':
      return { title: 'Answer', body: `The ${agent} agent has answered.` };
  }
}

/** Says what was done without asking, and how much of what is allowed is used. */
async function allowedWords(
  table: Table,
  { user, conversationId, callId }: Notice & { conversationId: string },
  words: boolean,
): Promise<Pick<Notification, 'title' | 'body'> | undefined> {
  const call = callId === undefined ? undefined : await readCall(table, conversationId, callId);
  if (!call) return undefined;
  const standing = (await readStandings(table, user)).find(({ id }) => id === call.standing);
  const { calls, uses, money = {} } = standing ?? {};
  const used = uses ? ` ${uses.length} of ${calls} calls are used.` : '';
  const made = `The ${call.agent} agent calls ${call.tool}, as you have allowed.${used}`;
  const lines = words ? fieldsOf({ arguments: call.arguments, schema: { properties: money } }).map(lineOf) : [];
  return { title: 'Not asked', body: clipped([made, ...lines].join(' · ')) };
}

/** No name of the device: whoever added it has chosen that. */
function grantWords({ deviceId, isRemoval }: Notice) {
  const ending = 'If this was not you, open Notifications and end all of them.';
  if (isRemoval)
    return { title: 'Notifications turned off', body: `A browser or your mail gets no more of them. ${ending}` };
  return deviceId === undefined
    ? {
        title: 'Notifications quote conversations',
        body: `Your notifications have words of your conversations from now on. ${ending}`,
      }
    : { title: 'New device', body: `Another browser gets your notifications from now on. ${ending}` };
}

async function quotedWords(
  table: Table,
  notice: Notice & { conversationId: string },
  meta: Meta,
  callback?: StoredCallback,
) {
  const { kind, conversationId, timerId } = notice;
  if (kind === 'approval') return clipped(decisionLines(decisionOf(meta, callback!)).join(' · '));
  if (kind === 'question') return clipped(`${named(meta.agent)} asks: ${quoted(callback!.prompt)}`);
  if (kind === 'failure') return clipped(seen(meta.run?.reason ?? ''));
  if (kind === 'reminder') return clipped(seen((await readTimer(table, conversationId, timerId!))?.text ?? ''));
  return clipped(seen(await lastReply(table, conversationId)));
}

const repliesLookedAt = 5;

async function lastReply(table: Table, conversationId: string): Promise<string> {
  const rows = await readLatestRows(table, conversationId, key.messages, `${key.messages}~`, repliesLookedAt);
  const replies = onlyReadable(StoredMessage, rows).filter(({ role }) => role === 'assistant');
  // A reply may be a picture alone.
  return replies.map((reply) => reply.text.trim() || namesOfFiles(reply)).findLast((words) => words !== '') ?? '';
}

const clipped = (text: string, characters = shownCharacters): string => clip(text, { characters }, '…');
