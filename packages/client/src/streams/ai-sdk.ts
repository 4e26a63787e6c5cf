import {
  type ChatTransport,
  type DynamicToolUIPart,
  type FileUIPart,
  readUIMessageStream,
  type ToolUIPart,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import { pause } from '../again';
import type { Conversation, FileAddress } from '../api-types';
import type { Reader } from '../decisions/deciders';
import { aiSdkChunks, dataOf, fileUiPart, type MessageData, type RunData, userParts } from '../dialects/ai-sdk';
import { filesIn } from '../dialects/files';
import { beginsTurn, movesSince } from '../dialects/moves';
import { beginningAt, placeIn } from '../dialects/position';
import { checkOptions } from '../options';
import { RequestFailed } from '../problem';
import {
  type AgentConnection,
  agentConnection,
  type Connection,
  conversationIdOf,
  follow,
  type Part,
  readerOf,
  type StreamFrom,
} from './api';
import { type Content, contentOf, type SentPart, sentFile } from './content';
import { answer, fileAddress, readConversation, readMessage, retry, say } from './conversation';

/**
 * A message of `useChat` from Vigil: its parts are text, files, dynamic tools, `data-run` and `data-message`, and JSON that a person has
 * sent (`data-json`).
 */
export type VigilUIMessage = UIMessage<{ position?: string }, { run: RunData; message: MessageData; json: unknown }>;

export interface VigilTransport extends ChatTransport<VigilUIMessage> {
  /** Returns the messages so far, for `useChat({ messages })`. */
  history(chatId: string): Promise<VigilUIMessage[]>;
  /**
   * Returns an address that serves a file of the chat for some minutes: ask again when it has expired. The `url` of a part that Vigil has
   * stored is a reference, such as `vigil:f_…`, and no address.
   *
   * @param as `inline`: to show it. Only pictures of pixels, audio, video and PDFs are; all else is saved.
   * @throws TypeError if the part is no file of Vigil, and RequestFailed.
   */
  fileAddress(
    chatId: string,
    file: Pick<FileUIPart, 'url' | 'filename'>,
    as?: 'inline' | 'attachment',
  ): Promise<FileAddress>;
  /**
   * Calls back when something has happened in a chat that the page is not reading: somebody else has decided, or a timer has come. Then call
   * `resumeStream()` if the chat's status is `ready`. A chat at rest is asked about once a minute.
   *
   * @returns ends it.
   */
  onNews(chatId: string, callback: () => void): () => void;
}

/**
 * A transport for `useChat`. The chat's id is that of a conversation, or one that you choose for a new one. A response ends when the run
 * is over, sleeps or waits; the part `data-run` says so.
 *
 * - An approval: `addToolApprovalResponse`. A question: `addToolOutput`. Set `sendAutomaticallyWhen: sendsDecisions`.
 * - `resumeStream()` goes on after a reload, and after a sleep. It returns the turn from its beginning.
 * - `regenerate()` retries a run that failed or reached a limit.
 * - `stop()` stops reading. The run goes on.
 * - Files of a message are uploaded before it is sent. `fileAddress` opens the files of messages and of tools.
 *
 * @throws TypeError that names the option that is wrong.
 * @example
 * ```ts
 * import { Chat } from '@ai-sdk/react';
 * import { isTextUIPart } from 'ai';
 * import { sendsDecisions, vigilTransport } from 'vigil-client/ai-sdk';
 *
 * const id = 'visit-1';
 * const transport = vigilTransport({ url: process.env.VIGIL_URL!, token: process.env.VIGIL_TOKEN!, agent: 'guide' });
 * const messages = await transport.history(id); // → []
 * const chat = new Chat({ id, transport, messages, sendAutomaticallyWhen: sendsDecisions }); // or `useChat` in a component
 *
 * await chat.sendMessage({ text: 'Are you open on Monday?' });
 * chat.lastMessage?.parts.find(isTextUIPart)?.text; // → 'No, we are closed on Mondays.'
 * ```
 */
export function vigilTransport(options: AgentConnection): VigilTransport {
  checkOptions('vigilTransport', options, agentConnection);
  const { agent, ...connection } = options;
  const idOf = (chatId: string) => conversationIdOf(connection, chatId);
  const stream = (id: string, from: Omit<StreamFrom, 'as'>) => follow(connection, id, { as: 'ai-sdk', ...from });

  /** The last message of a person that the page has, by chat. One from another tab begins a turn that has its question as a part. */
  const asked = new Map<string, number>();

  return {
    resumeStreamIsReplay: true,

    async sendMessages({ trigger, chatId, messageId, messages, abortSignal: signal }) {
      const id = await idOf(chatId);
      if (trigger === 'regenerate-message')
        return streamOf(stream(id, { after: await retry(connection, id, signal), signal }));
      const message = messages.find((one) => one.id === messageId) ?? messages.at(-1);
      if (!message) throw new Error('There is no message to send.');
      // Decisions and answers on any card: a person may write first, and decide about an older turn then.
      const decisions = messages.flatMap(decisionsIn);
      for (const { callbackId, ...decision } of decisions) {
        await answer(connection, id, callbackId, decision, signal);
        sent.add(callbackId);
      }
      if (message.role === 'user') {
        // It was sent before, and the chat sends the decisions by itself.
        if (messageId !== undefined && decisions.length > 0)
          return streamOf(stream(id, { after: asked.get(chatId), signal }));
        if (messageId !== undefined)
          throw new Error('A message that was sent cannot be edited. Fork the conversation, or send another message.');
        const content = await contentIn(connection, message, signal);
        const said = { chosen: chatId, id, agent, content, clientMessageId: message.id, signal };
        const after = await say(connection, said);
        asked.set(chatId, after);
        return streamOf(stream(id, { after, signal }));
      }
      const position = message.metadata?.position;
      if (!position) throw new Error(`The message ${message.id} has no position. Use the messages of history().`);
      // What follows belongs to the latest turn: `resumeStream()` reads it.
      return message === messages.at(-1) ? streamOf(stream(id, { position, signal })) : streamOf(nothing());
    },

    async reconnectToStream({ chatId, abortSignal: signal }) {
      const id = await idOf(chatId);
      const parts = stream(id, { atOnce: true, signal });
      try {
        const first = await parts.next();
        if (first.done) return null;
        const { position } = first.value;
        const from = position === undefined ? undefined : placeIn(position)?.from;
        const isAskedElsewhere = from !== undefined && (asked.get(chatId) ?? from) < from;
        return streamOf(parts, isAskedElsewhere ? await withQuestion(connection, id, from, first.value) : first.value);
      } catch (error) {
        if (error instanceof RequestFailed && error.status === 404) return null;
        throw error;
      }
    },

    async fileAddress(chatId, file, as) {
      return fileAddress(connection, await idOf(chatId), file, as);
    },

    onNews(chatId, callback) {
      const reading = new AbortController();
      const { signal } = reading;
      let known: string | undefined;
      const read = async () => {
        for await (const { position } of stream(await idOf(chatId), { position: known, atOnce: true, signal })) {
          // The first position is that of what the page has, or is reading.
          if (known !== undefined && position !== known) callback();
          known = position ?? known;
        }
      };
      void untilEnded(read, signal);
      return () => reading.abort();
    },

    async history(chatId) {
      try {
        const conversation = await readConversation(connection, await idOf(chatId));
        asked.set(chatId, conversation.messages.findLast(beginsTurn)?.seq ?? 0);
        return await uiMessages(conversation, await readerOf(connection, conversation));
      } catch (error) {
        if (error instanceof RequestFailed && error.status === 404) return [];
        throw error;
      }
    },
  };
}

/** Returns the first part of a turn with its question, as the part `data-message`. */
async function withQuestion(connection: Connection, id: string, seq: number, part: Part): Promise<Part> {
  const question = dataOf(await readMessage(connection, id, seq));
  const [start, rest] =
    part.events[0]?.type === 'start' ? [part.events.slice(0, 1), part.events.slice(1)] : [[], part.events];
  return { ...part, events: [...start, question, ...rest] };
}

/**
 * Whether the person has decided or answered, and it is not sent yet: for `useChat({ sendAutomaticallyWhen })`.
 *
 * @example
 * ```ts
 * import { Chat } from '@ai-sdk/react';
 * import { sendsDecisions, type VigilUIMessage, vigilTransport } from 'vigil-client/ai-sdk';
 *
 * const transport = vigilTransport({ url: process.env.VIGIL_URL!, token: process.env.VIGIL_TOKEN!, agent: 'guide' });
 * // After `addToolApprovalResponse` or `addToolOutput`, the chat sends the decision by itself.
 * const chat = new Chat<VigilUIMessage>({ transport, sendAutomaticallyWhen: sendsDecisions });
 * sendsDecisions(chat); // → false
 * ```
 */
export const sendsDecisions = ({ messages }: { messages: VigilUIMessage[] }): boolean => {
  return messages.some((message) => decisionsIn(message).length > 0);
};

/** The callbacks whose decision was sent. The position of an older turn does not move, so it does not say so. */
const sent = new Set<string>();

type Decision = { callbackId: string } & ({ answer: string } | { approved: boolean; reason?: string });

/** Returns what the person has decided or answered in a turn, and is not sent yet. */
function decisionsIn({ role, parts, metadata }: VigilUIMessage): Decision[] {
  if (role !== 'assistant') return [];
  const told = metadata?.position ? (placeIn(metadata.position)?.calls ?? {}) : {};
  return parts
    .filter(isTool)
    .flatMap((part): Decision[] => {
      const { questionId } = (part.toolMetadata ?? {}) as { questionId?: string };
      if (part.state === 'approval-responded' && told[part.toolCallId] === 'asked') {
        const { id: callbackId, approved, reason } = part.approval;
        return [{ callbackId, approved, ...(!approved && reason && { reason }) }];
      }
      if (part.state === 'output-available' && questionId && told[part.toolCallId]) {
        const said = typeof part.output === 'string' ? part.output : JSON.stringify(part.output);
        return [{ callbackId: questionId, answer: said }];
      }
      return [];
    })
    .filter(({ callbackId }) => !sent.has(callbackId));
}

/**
 * Returns a conversation as the messages of `useChat`: a person's message, and the turn that follows it.
 *
 * @param reader who reads it: what only others can decide is not offered. By default, all is.
 * @example
 * ```ts
 * import { uiMessages } from 'vigil-client/ai-sdk';
 * import { createClient } from 'vigil-client';
 *
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * const { id } = await client.start({ agent: 'guide', text: 'Are you open on Monday?' });
 * // For a chat that a server draws: `transport.history(id)` does the same in a page.
 * const messages = await uiMessages(await client.api.read(id, 0));
 * messages.map(({ role }) => role); // → ['user', 'assistant']
 * ```
 */
export async function uiMessages(conversation: Conversation, reader?: Reader): Promise<VigilUIMessage[]> {
  const { messages } = conversation;
  const starts = messages.filter(beginsTurn);
  const shown: VigilUIMessage[] = [];
  for (const [at, from] of [undefined, ...starts].entries()) {
    const to = starts[at]?.seq ?? Number.POSITIVE_INFINITY;
    if (from)
      shown.push({
        id: from.clientMessageId ?? `m${from.seq}`,
        role: 'user',
        parts: userParts(from),
      });
    const turn = messages.filter(({ seq }) => seq > (from?.seq ?? 0) && seq < to);
    if (turn.length === 0 && at < starts.length) continue;
    const seen = { ...conversation, messages: turn, head: conversation, reader };
    const place = beginningAt(from?.seq ?? 0);
    const told = movesSince(place, seen, new Date());
    const moves = told.moves.filter(({ kind }) => kind !== 'rest' || (at === starts.length && turn.length > 0));
    const chunks = aiSdkChunks(place, { ...told, moves }).filter(({ type }) => !endings.has(type));
    const message = await messageOf(chunks as UIMessageChunk[]);
    if (message) shown.push(message);
  }
  return shown;
}

async function messageOf(chunks: UIMessageChunk[]): Promise<VigilUIMessage | undefined> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let last: VigilUIMessage | undefined;
  for await (const message of readUIMessageStream<VigilUIMessage>({ stream, terminateOnError: true })) last = message;
  return last;
}

/** The parts that end a response: the run is at rest. */
const endings = new Set(['finish', 'error', 'abort']);

function streamOf(parts: AsyncGenerator<Part>, first?: Part): ReadableStream<UIMessageChunk> {
  const chunks = chunksIn(parts, first);
  return new ReadableStream<UIMessageChunk>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: () => parts.return(undefined).then(() => undefined),
  });
}

/** The response ends where the run rests, even though it may be followed further. */
async function* chunksIn(parts: AsyncGenerator<Part>, first?: Part): AsyncGenerator<UIMessageChunk> {
  for (let part = first ?? (await parts.next()).value; part; part = (await parts.next()).value as Part | undefined) {
    yield* part.events as UIMessageChunk[];
    if (part.events.some(({ type }: { type: string }) => endings.has(type))) return;
  }
}

/** A chat that is over is looked at again, because its person may write in another tab. A failure is told to who reads the chat. */
const lookAgainMs = 60_000;

async function untilEnded(read: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await read().catch(() => undefined);
    await pause(lookAgainMs, signal).catch(() => undefined);
  }
}

async function* nothing(): AsyncGenerator<Part> {
  yield { events: [{ type: 'finish' }] };
}

/** Uploads the files of a person's message. */
async function contentIn(
  connection: Connection,
  { parts }: VigilUIMessage,
  signal: AbortSignal | undefined,
): Promise<Content> {
  const sent = parts.map(async (part): Promise<SentPart> => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    if (part.type === 'data-json') return { type: 'data', data: part.data };
    if (part.type === 'file') return sentFile(connection, part, signal);
    throw new Error(`Vigil takes no part of the type ${part.type} from a person: send text, files and data-json.`);
  });
  return contentOf(await Promise.all(sent));
}

/**
 * Returns the files of a message: those that a person or a model has sent, and those in the results of tools. Each has a reference as `url`, which
 * `transport.fileAddress` opens.
 *
 * @example
 * ```ts
 * import { filesOfMessage } from 'vigil-client/ai-sdk';
 *
 * filesOfMessage({ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }); // → []
 * ```
 */
export const filesOfMessage = ({ parts }: VigilUIMessage): FileUIPart[] =>
  parts.flatMap((part): FileUIPart[] => {
    if (part.type === 'file') return [named(part)];
    if (part.type === 'data-message') return part.data.parts?.filter((one) => one.type === 'file') ?? [];
    return isTool(part) && part.state === 'output-available' ? filesIn(part.output).map(fileUiPart) : [];
  });

/** A file of a model has its name in the metadata. */
function named(part: FileUIPart): FileUIPart {
  const filename = part.filename ?? part.providerMetadata?.vigil?.filename;
  return typeof filename === 'string' ? { ...part, filename } : part;
}

const isTool = (part: VigilUIMessage['parts'][number]): part is DynamicToolUIPart | ToolUIPart =>
  part.type === 'dynamic-tool' || part.type.startsWith('tool-');
