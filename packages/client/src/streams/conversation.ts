import type { Conversation, Message } from '../api-types';
import { beginsTurn } from '../dialects/moves';
import { RequestFailed } from '../problem';
import { ask, type Connection, read } from './api';

/** The requests of a page for a conversation, besides following it. Each may be repeated. */

/** @throws RequestFailed, with status 404 if there is no such conversation. */
export async function readConversation(
  connection: Connection,
  id: string,
  signal?: AbortSignal,
): Promise<Conversation> {
  const page = (after: number) =>
    read<Conversation>(ask(connection, 'GET', `/conversations/${id}?after=${after}`, { signal }));
  let whole = await page(0);
  while (whole.more) {
    const next = await page(whole.messages.at(-1)!.seq);
    whole = { ...next, messages: [...whole.messages, ...next.messages] };
  }
  return whole;
}

/** Reads one message. @throws RequestFailed, with status 404 if there is no such conversation. */
export const readMessage = async (connection: Connection, id: string, seq: number): Promise<Message> =>
  (await read<Conversation>(ask(connection, 'GET', `/conversations/${id}?after=${seq - 1}`))).messages[0]!;

export interface Said {
  /** The page's name for the conversation, and its id. */
  chosen: string;
  id: string;
  agent: string;
  text: string;
  clientMessageId: string;
  signal?: AbortSignal;
}

/** Sends a message, and begins the conversation if it does not exist. Returns the `seq` after which the reply comes. */
export async function say(connection: Connection, said: Said): Promise<number> {
  const { chosen, id, agent, text, clientMessageId, signal } = said;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const body = { text, clientMessageId, timeZone };
  const send = async () =>
    (await read<Message>(ask(connection, 'POST', `/conversations/${id}/messages`, { body, signal }))).seq;
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 404) throw error;
  }
  const begin = { ...body, agent, id: chosen };
  const { messages } = await read<Conversation>(ask(connection, 'POST', '/conversations', { body: begin, signal }));
  // If another tab has begun it meanwhile, its message is the first one.
  return messages.find((one) => one.clientMessageId === clientMessageId)?.seq ?? send();
}

/** Answers a question or decides about an approval. If that has been done elsewhere, the first one holds. */
export async function answer(
  connection: Connection,
  id: string,
  callbackId: string,
  body: { answer: string } | { approved: boolean; reason?: string; arguments?: object },
  signal?: AbortSignal,
): Promise<void> {
  try {
    await ask(connection, 'POST', `/conversations/${id}/callbacks/${callbackId}`, { body, signal });
  } catch (error) {
    if (!(error instanceof RequestFailed) || error.status !== 409) throw error;
  }
}

/** Continues a failed or limited run. Returns the `seq` after which its turn begins. */
export async function retry(connection: Connection, id: string, signal?: AbortSignal): Promise<number> {
  await ask(connection, 'POST', `/conversations/${id}/retry`, { signal });
  return (await readConversation(connection, id, signal)).messages.findLast(beginsTurn)?.seq ?? 0;
}
