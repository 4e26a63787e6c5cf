import {
  AbstractAgent,
  type AgentConfig,
  type BaseEvent,
  EventType,
  type InputContent,
  type RunAgentInput,
  type UserMessage,
} from '@ag-ui/client';
import { Observable } from 'rxjs';
import type { Conversation, FileAddress } from '../api-types';
import { type AgUiEvent, agUiMessages, jsonMetadata, provider } from '../dialects/ag-ui';
import { fileUrl } from '../dialects/files';
import { beginsTurn, movesSince } from '../dialects/moves';
import { beginningAt, positionText } from '../dialects/position';
import { checkOptions } from '../options';
import { type AgentConnection, agentConnection, conversationIdOf, follow, readerOf, type StreamFrom } from './api';
import { type Content, contentOf, type SentPart, sentFile } from './content';
import { answer, fileAddress, readConversation, say } from './conversation';

export type VigilAgentConfig = AgentConfig & AgentConnection;

/**
 * An agent of AG-UI. Its thread is a conversation: the thread's id is that of a conversation, or one that you choose for a new one. A run
 * of the protocol ends when the conversation is at rest.
 *
 * - `runAgent()` sends the last message if it is the user's, also beside what `resume` decides, and follows.
 * - Approvals and questions are interrupts. Resolve them with `runAgent({ resume })`: the payload is `{ approved, reason?, arguments? }`
 *   or `{ answer }`.
 * - `connectAgent()` reads all messages, and follows what is in progress.
 * - `abortRun()` stops reading. The run goes on.
 * - Images, audio, video and documents of a message are uploaded before it is sent. `fileAddress` opens those of messages and of tools.
 *
 * @throws TypeError that names the option that is wrong.
 * @example
 * ```ts
 * import { VigilAgent } from 'vigil-client/ag-ui';
 *
 * const agent = new VigilAgent({
 *   url: process.env.VIGIL_URL!,
 *   token: process.env.VIGIL_TOKEN!,
 *   agent: 'guide',
 *   threadId: 'visit-2',
 * });
 * agent.addMessage({ id: 'm1', role: 'user', content: 'Are you open on Monday?' });
 * await agent.runAgent();
 * agent.messages.at(-1)?.content; // → 'No, we are closed on Mondays.'
 * ```
 */
export class VigilAgent extends AbstractAgent {
  private readonly connection: AgentConnection;
  /** The position to continue from, by thread. */
  private readonly positions = new Map<string, string>();
  /** The ids of messages that the server has. */
  private readonly known = new Set<string>();
  private reading?: AbortController;

  constructor({ url, token, waitSeconds, agent, ...config }: VigilAgentConfig) {
    super(config);
    this.connection = { url, token, waitSeconds, agent };
    checkOptions('VigilAgent', this.connection, agentConnection);
  }

  run(input: RunAgentInput): Observable<BaseEvent> {
    return this.events(input, async function* (agent, id, signal) {
      const { connection, positions } = agent;
      const { threadId, messages, resume = [] } = input;
      const last = messages.at(-1);
      const written = last?.role === 'user' ? last : undefined;
      const send = async ({ id: clientMessageId, content }: UserMessage) => {
        const said = {
          content: await contentIn(connection, content, signal),
          clientMessageId,
          agent: connection.agent,
        };
        agent.known.add(clientMessageId);
        return say(connection, { ...said, chosen: threadId, id, signal });
      };
      if (resume.length === 0 && written)
        return yield* agent.followed(id, input, { after: await send(written), signal });
      // Whatever has happened unseen is in the snapshot, not in the stream.
      if (!positions.has(threadId)) yield* agent.snapshot(id, input, signal);
      for (const { interruptId, status, payload } of resume)
        await answer(connection, id, interruptId, status === 'cancelled' ? { approved: false } : payload, signal);
      // A message that the person has written beside the decision. What both cause is in the snapshot, or follows it.
      if (written && !agent.known.has(written.id)) {
        await send(written);
        yield* agent.snapshot(id, input, signal);
      }
      yield* agent.followed(id, input, { position: positions.get(threadId), signal });
    });
  }

  protected override connect(input: RunAgentInput): Observable<BaseEvent> {
    return this.events(input, async function* (agent, id, signal) {
      yield* agent.snapshot(id, input, signal);
      yield* agent.followed(id, input, { position: agent.positions.get(input.threadId), signal });
    });
  }

  /**
   * Returns an address that serves a file of the thread for some minutes: ask again when it has expired. A part of a message names the
   * file by its id, as `source.value`.
   *
   * @param as `inline`: to show it. Only pictures of pixels, audio, video and PDFs are; all else is saved.
   * @throws RequestFailed
   */
  async fileAddress(
    fileId: string,
    { as, filename }: { as?: 'inline' | 'attachment'; filename?: string } = {},
  ): Promise<FileAddress> {
    const id = await conversationIdOf(this.connection, this.threadId);
    return fileAddress(this.connection, id, { url: fileUrl(fileId), filename }, as);
  }

  override abortRun(): void {
    this.reading?.abort();
  }

  override clone(): VigilAgent {
    const { agentId, description, threadId, messages, state } = this;
    return new VigilAgent({
      ...this.connection,
      agentId,
      description,
      threadId,
      initialMessages: messages,
      initialState: state,
    });
  }

  /** Reads the conversation as it is, and notes the position after it. A reply that is being written comes in the stream. */
  private async *snapshot(id: string, { threadId }: RunAgentInput, signal: AbortSignal): AsyncGenerator<AgUiEvent> {
    const whole = await readConversation(this.connection, id, signal);
    const reader = await readerOf(this.connection, whole);
    const { place } = movesSince(beginningAt(turnIn(whole)), { ...whole, head: whole, reader }, new Date());
    const { part: _, ...told } = place;
    const messages = whole.messages.filter(({ seq }) => seq <= told.seq);
    const shown = agUiMessages({ ...whole, messages });
    for (const message of shown) this.known.add(message.id);
    yield { type: 'MESSAGES_SNAPSHOT', messages: shown };
    this.positions.set(threadId, positionText({ ...told, rest: '' }));
  }

  private async *followed(
    id: string,
    { threadId, runId }: RunAgentInput,
    from: Omit<StreamFrom, 'as'>,
  ): AsyncGenerator<AgUiEvent> {
    for await (const { events, position } of follow(this.connection, id, { as: 'ag-ui', ...from })) {
      if (position) this.positions.set(threadId, position);
      for (const event of events as AgUiEvent[]) {
        if (event.type === 'TEXT_MESSAGE_START') this.known.add(String(event.messageId));
        // The protocol's run is the client's.
        yield event.type === 'RUN_FINISHED' ? { ...event, threadId, runId } : event;
        if (event.type === 'RUN_ERROR') this.positions.delete(threadId);
        if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') return;
      }
    }
    yield { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'success', pendingToolCallIds: [] } };
  }

  private events(
    { threadId, runId }: RunAgentInput,
    play: (agent: VigilAgent, conversationId: string, signal: AbortSignal) => AsyncGenerator<AgUiEvent>,
  ): Observable<BaseEvent> {
    return new Observable<BaseEvent>((subscriber) => {
      const reading = new AbortController();
      this.reading = reading;
      const next = (event: AgUiEvent) => subscriber.next(event as unknown as BaseEvent);
      const pass = async () => {
        next({ type: EventType.RUN_STARTED, threadId, runId });
        const id = await conversationIdOf(this.connection, threadId);
        for await (const event of play(this, id, reading.signal)) next(event);
      };
      pass().then(
        () => subscriber.complete(),
        (error: unknown) => (reading.signal.aborted ? subscriber.complete() : subscriber.error(error)),
      );
      return () => reading.abort();
    });
  }
}

const turnIn = ({ messages }: Conversation): number => messages.findLast(beginsTurn)?.seq ?? 0;

/** Uploads the files of a person's message. */
async function contentIn(
  connection: AgentConnection,
  content: string | InputContent[],
  signal: AbortSignal,
): Promise<Content> {
  if (typeof content === 'string') return { text: content };
  return contentOf(await Promise.all(content.map((part) => sentPart(connection, part, signal))));
}

async function sentPart(connection: AgentConnection, part: InputContent, signal: AbortSignal): Promise<SentPart> {
  if (part.type === 'text') {
    const { type } = (part.metadata ?? {}) as Partial<typeof jsonMetadata>;
    if (type === jsonMetadata.type) return { type: 'data', data: JSON.parse(part.text) };
    return { type: 'text', text: part.text };
  }
  const { filename } = (part.metadata ?? {}) as { filename?: string };
  const { type, value, mimeType } = part.source;
  if (type === 'file') {
    const of = part.source.provider ?? provider;
    if (of !== provider) throw new Error(`Vigil cannot read a file of ${of}: pass the bytes of the file.`);
    return sentFile(connection, { url: fileUrl(value), filename }, signal);
  }
  const url = type === 'data' ? `data:${mimeType};base64,${value}` : value;
  return sentFile(connection, { url, mediaType: mimeType, filename }, signal);
}
