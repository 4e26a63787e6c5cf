import { isOpen, readCallback } from '../calls/callback';
import { readTimer } from '../calls/timer';
import type { NoticeKind } from '../live/live';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { type StoredCallback, StoredMessage } from '../rows/rows';
import { readLatestRows, readMeta, type Table } from '../store/table';
import { clip } from '../text/clip';
import type { Notice } from './notice';

/** What a device shows. Its browser shows two with the same `id` as one. */
export interface Notification {
  id: string;
  kind: NoticeKind;
  conversationId: string;
  callbackId?: string;
  title: string;
  body: string;
  /** Where it leads to on the page. */
  path: string;
  /** Whether an approval may be given from the notification: it shows everything that the person decides about. */
  approvable?: true;
}

/**
 * Says what a notice is about. Without `words`, it names the agent and the tool, which are the deployment's, and quotes nothing.
 *
 * @returns undefined if it is of no interest any more: the conversation is deleted, or the callback is closed.
 */
export async function notificationOf(
  table: Table,
  notice: Notice,
  words: boolean,
  now: Date,
): Promise<Notification | undefined> {
  const { id, kind, conversationId, callbackId, user } = notice;
  const meta = await readMeta(table, conversationId);
  if (!meta || meta.owner !== user) return undefined;
  const callback = callbackId ? await readCallback(table, conversationId, callbackId) : undefined;
  if (callbackId && !(callback && isOpen(callback, now))) return undefined;
  const plain = plainWords(kind, meta, callback);
  const quoted = words ? await quotedWords(table, notice, meta, callback) : undefined;
  return {
    ...{ id, kind, conversationId, callbackId },
    title: quoted ? visible(meta.title, titleCharacters).text || plain.title : plain.title,
    body: quoted?.text || plain.body,
    path: `/#/c/${conversationId}`,
    ...(kind === 'approval' && !callback?.asker && quoted?.isWhole && { approvable: true }),
  };
}

const titleCharacters = 60;
const bodyCharacters = 300;

function plainWords(kind: NoticeKind, { agent, run }: Meta, callback?: StoredCallback) {
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

async function quotedWords(table: Table, notice: Notice, meta: Meta, callback?: StoredCallback) {
  const { kind, conversationId, timerId } = notice;
  if (kind === 'approval') return visible(`${callback!.prompt} ${argumentsOf(callback!)}`, bodyCharacters);
  if (kind === 'question') return visible(callback!.prompt, bodyCharacters);
  if (kind === 'failure') return visible(meta.run?.reason ?? '', bodyCharacters);
  if (kind === 'reminder')
    return visible((await readTimer(table, conversationId, timerId!))?.text ?? '', bodyCharacters);
  return visible(await lastReply(table, conversationId), bodyCharacters);
}

const argumentsOf = ({ arguments: args }: StoredCallback): string =>
  Object.entries((args ?? {}) as object)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');

const repliesLookedAt = 5;

async function lastReply(table: Table, conversationId: string): Promise<string> {
  const rows = await readLatestRows(table, conversationId, key.messages, `${key.messages}~`, repliesLookedAt);
  const replies = rows.map((row) => StoredMessage.parse(row)).filter(({ role, text }) => role === 'assistant' && text);
  return replies.at(-1)?.text ?? '';
}

/** Characters that are not visible, or that change the direction of the text around them. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]+/gu;

/** Returns a text as one line for a notification. `isWhole`: nothing of it is missing. */
function visible(text: string, characters: number): { text: string; isWhole: boolean } {
  const line = text.replace(/\s+/g, ' ').trim();
  const shown = line.replace(hidden, '');
  const clipped = clip(shown, { characters }, '…');
  return { text: clipped, isWhole: clipped === line };
}
