import type { AnswerCallback, Conversation, FileAddress, Message } from '../api-types';
import { fileIdIn } from '../dialects/files';
import { beginsTurn } from '../dialects/moves';
import { RequestFailed } from '../problem';
import { readWhole } from '../read-whole';
import { ask, type Connection } from './api';
import type { Content } from './content';

/** The requests of a page for a conversation, besides following it. Each may be repeated. */

/** @throws RequestFailed, with status 404 if there is no such conversation. */
export const readConversation = (connection: Connection, id: string, signal?: AbortSignal): Promise<Conversation> =>
  readWhole((after) => ask(connection, (api) => api.read(id, after), signal));

/** Reads one message. @throws RequestFailed, with status 404 if there is no such conversation. */
export const readMessage = async (connection: Connection, id: string, seq: number): Promise<Message> =>
  (await ask(connection, (api) => api.read(id, seq - 1))).messages[0]!;

export interface Said {
  /** The page's name for the conversation, and its id. */
  chosen: string;
  id: string;
  agent: string;
  content: Content;
  clientMessageId: string;
  signal?: AbortSignal;
}

/** Sends a message, and begins the conversation if it does not exist. Returns the `seq` after which the reply comes. */
export async function say(connection: Connection, said: Said): Promise<number> {
  const { chosen, id, agent, content, clientMessageId, signal } = said;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = { ...content, clientMessageId, timeZone };
  const send = async () => (await ask(connection, (api) => api.say(id, body), signal)).seq;
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
  }
  const begin = { ...body, agent, id: chosen };
  const { messages } = await ask(connection, (api) => api.start(begin), signal);
  // If another tab has begun it meanwhile, its message is the first one.
  return messages.find((one) => one.clientMessageId === clientMessageId)?.seq ?? send();
}

/**
 * Returns an address that serves a file of the conversation for some minutes.
 *
 * @throws TypeError if the reference names none, and RequestFailed.
 */
export async function fileAddress(
  connection: Connection,
  id: string,
  { url, filename }: { url: string; filename?: string },
  as?: 'inline' | 'attachment',
): Promise<FileAddress> {
  const fileId = fileIdIn(url);
  if (!fileId) throw new TypeError('This is no reference to a file of Vigil: it begins with vigil:f_.');
  return ask(connection, (api) => api.file(id, fileId, as, filename));
}

/** Answers a question or decides about an approval. If that has been done elsewhere, the first one holds. */
export async function answer(
  connection: Connection,
  id: string,
  callbackId: string,
  body: AnswerCallback,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await ask(connection, (api) => api.answer(id, callbackId, body), signal);
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 409) throw error;
  }
}

/** Continues a failed or limited run. Returns the `seq` after which its turn begins. */
export async function retry(connection: Connection, id: string, signal?: AbortSignal): Promise<number> {
  await ask(connection, (api) => api.retry(id), signal);
  return (await readConversation(connection, id, signal)).messages.findLast(beginsTurn)?.seq ?? 0;
}
