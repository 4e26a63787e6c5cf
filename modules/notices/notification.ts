import { decisionLines, fieldsOf, lineOf, named, quoted, seen } from 'vigil-client/shared';
import { namesOfFiles } from '../../core/base/content/parts';
import { clip } from '../../core/base/text/clip';
import { shownCharacters, wholeDecision } from '../../core/conversations/approvals/decision';
import { readStandings } from '../../core/conversations/approvals/standing';
import { assignmentOf } from '../../core/conversations/approvals/steps';
import { readCall } from '../../core/conversations/calls/call';
import { isOpen, readCallback } from '../../core/conversations/calls/callback';
import { readTimer } from '../../core/conversations/calls/timer';
import { roleIn } from '../../core/conversations/members/role';
import { key } from '../../core/conversations/rows/keys';
import type { Meta } from '../../core/conversations/rows/meta';
import { ifReadable, onlyReadable } from '../../core/conversations/rows/readable';
import { type StoredCallback, StoredMessage } from '../../core/conversations/rows/rows';
import { readLatestRows, readRow, readShownMeta, type Table } from '../../core/conversations/store/table';
import type { NoticeKind } from '../../core/people/live/live';
import type { Notice } from './notice';
import { type NoticeLanguage, type NoticeWords, noticeWords } from './notice-words';

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
  /** The language of its words, and the words of its buttons. Absent if it is English. */
  language?: NoticeLanguage;
  buttons?: { approve: string; deny: string };
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
  language: NoticeLanguage = 'en',
): Promise<Notification | undefined> {
  const { id, kind, conversationId, callbackId, user, isAssigned } = notice;
  const own = noticeWords(language);
  const spoken = language !== 'en' && { language };
  if (kind === 'grant') return { id, kind, path: '/#/', ...grantWords(notice, own), ...spoken };
  if (conversationId === undefined) return undefined;
  const meta = await readShownMeta(table, conversationId);
  if (!meta?.owner) return undefined;
  const callback = callbackId ? await readCallback(table, conversationId, callbackId) : undefined;
  if (callbackId && !(callback && isOpen(callback, now))) return undefined;
  const isOwn = meta.owner === user;
  const mayRead = roleIn(meta, user) !== undefined;
  if (isAssigned ? !callback || assignmentOf(callback)?.to !== user : !mayRead) return undefined;
  // Who is asked to decide may have lost the right meanwhile: the inbox shows them what they may read.
  const quotes = words && (isAssigned ? isOwn : mayRead);
  const of = { ...notice, conversationId };
  // An approver finds it in the inbox, and sees nothing else of the conversation.
  const place = { conversationId, callbackId, path: mayRead ? `/#/c/${conversationId}` : '/#/' };
  const about = { id, kind, ...place, ...spoken };
  if (kind === 'allowed') {
    const said = await allowedWords(table, of, quotes, own);
    return said && { ...about, ...said };
  }
  const plain = plainWords(kind, meta, callback, own);
  const body = quotes ? await quotedWords(table, of, { meta, callback, own }) : '';
  const whole = quotes && kind === 'approval' ? wholeDecision(decisionOf(meta, callback!)) : undefined;
  // A title is a model's words. Over what waits for a person, Vigil says what it is.
  const titled = quotes && !callback ? clipped(seen(meta.title), titleCharacters) : '';
  return {
    ...about,
    title: titled || plain.title,
    body: body || plain.body,
    ...(whole && { shown: whole.digest }),
    ...(spoken && kind === 'approval' && { buttons: { approve: own.approve, deny: own.deny } }),
  };
}

/** Rows from before an approval said who asks are of the conversation's agent. */
const decisionOf = ({ agent }: Meta, callback: StoredCallback) => ({ agent, ...callback });

const titleCharacters = 60;

function plainWords(
  kind: Exclude<NoticeKind, 'allowed'>,
  { agent, run }: Meta,
  callback: StoredCallback | undefined,
  words: NoticeWords,
): Said {
  const of = { agent, tool: callback?.tool ?? '' };
  return said(words[kind === 'failure' && run?.status === 'limited' ? 'limit' : kind], of);
}

type Said = Pick<Notification, 'title' | 'body'>;

const said = <Of>({ title, body }: { title: string; body: string | ((of: Of) => string) }, of: Of): Said => ({
  title,
  body: typeof body === 'string' ? body : body(of),
});

/** Says what was done without asking, and how much of what is allowed is used. */
async function allowedWords(
  table: Table,
  { user, conversationId, callId }: Notice & { conversationId: string },
  quotes: boolean,
  words: NoticeWords,
): Promise<Said | undefined> {
  const call = callId === undefined ? undefined : await readCall(table, conversationId, callId);
  if (!call) return undefined;
  const standing = (await readStandings(table, user)).find(({ id }) => id === call.standing);
  const { calls, uses, money = {} } = standing ?? {};
  const { title, body } = said(words.allowed, call);
  const made = uses ? `${body} ${words.used(uses.length, calls!)}` : body;
  const lines = quotes ? fieldsOf({ arguments: call.arguments, schema: { properties: money } }).map(lineOf) : [];
  return { title, body: clipped([made, ...lines].join(' · ')) };
}

/** No name of the device: whoever added it has chosen that. */
function grantWords({ deviceId, isRemoval, granted }: Notice, words: NoticeWords): Said {
  if (granted) return { title: words.mayNow, body: `${words.granted[granted]} ${words.notYouMay}` };
  const { removed, quotes, newDevice, notYou } = words;
  const { title, body } = isRemoval ? removed : deviceId === undefined ? quotes : newDevice;
  return { title, body: `${body} ${notYou}` };
}

async function quotedWords(
  table: Table,
  notice: Notice & { conversationId: string },
  { meta, callback, own }: { meta: Meta; callback?: StoredCallback; own: NoticeWords },
) {
  const { kind, conversationId, timerId } = notice;
  if (kind === 'approval') return clipped(decisionLines(decisionOf(meta, callback!)).join(' · '));
  if (kind === 'person') return clipped(quoted(callback!.prompt));
  if (kind === 'question') return clipped(own.asks(named(meta.agent), quoted(callback!.prompt)));
  if (kind === 'failure') return clipped(seen(meta.run?.reason ?? ''));
  if (kind === 'reminder') return clipped(seen((await readTimer(table, conversationId, timerId!))?.text ?? ''));
  if (kind === 'mention') return clipped(await saidIn(table, conversationId, notice.readSeq!));
  return clipped(seen(await lastReply(table, conversationId)));
}

const repliesLookedAt = 5;

/** Says who has mentioned the user, and how. */
async function saidIn(table: Table, conversationId: string, seq: number): Promise<string> {
  const row = await readRow(table, conversationId, key.message(seq));
  const { author, authorName, text } = ifReadable(StoredMessage, row) ?? { author: '', text: '' };
  return text ? `${named(authorName ?? author)}: ${quoted(text)}` : '';
}

async function lastReply(table: Table, conversationId: string): Promise<string> {
  const rows = await readLatestRows(table, conversationId, key.messages, `${key.messages}~`, repliesLookedAt);
  const replies = onlyReadable(StoredMessage, rows).filter(({ role }) => role === 'assistant');
  // A reply may be a picture alone.
  return replies.map((reply) => reply.text.trim() || namesOfFiles(reply)).findLast((words) => words !== '') ?? '';
}

const clipped = (text: string, characters = shownCharacters): string => clip(text, { characters }, '…');
