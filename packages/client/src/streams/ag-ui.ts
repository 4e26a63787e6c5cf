import { AbstractAgent, type AgentConfig, type BaseEvent, EventType, type RunAgentInput } from '@ag-ui/client';
import { Observable } from 'rxjs';
import type { Conversation } from '../api-types';
import { type AgUiEvent, agUiMessages } from '../dialects/ag-ui';
import { beginsTurn, movesSince } from '../dialects/moves';
import { beginningAt, positionText } from '../dialects/position';
import { checkOptions } from '../options';
import { type AgentConnection, agentConnection, conversationIdOf, follow, type StreamFrom } from './api';
import { answer, readConversation, say } from './conversation';

export type VigilAgentConfig = AgentConfig & AgentConnection;

/**
 * An agent of AG-UI. Its thread is a conversation: the thread's id is that of a conversation, or one that you choose for a new one. A run
 * of the protocol ends when the conversation is at rest.
 *
 * - `runAgent()` sends the last message if it is the user's, and follows.
 * - Approvals and questions are interrupts. Resolve them with `runAgent({ resume })`: the payload is `{ approved, reason?, arguments? }`
 *   or `{ answer }`.
 * - `connectAgent()` reads all messages, and follows what is in progress.
 * - `abortRun()` stops reading. The run goes on.
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
      if (resume.length === 0 && last?.role === 'user') {
        if (typeof last.content !== 'string')
          throw new Error('Vigil takes text only: remove the other parts of the message.');
        const said = { text: last.content, clientMessageId: last.id, agent: connection.agent };
        const after = await say(connection, { ...said, chosen: threadId, id, signal });
        return yield* agent.followed(id, input, { after, signal });
      }
      // Whatever has happened unseen is in the snapshot, not in the stream.
      if (!positions.has(threadId)) yield* agent.snapshot(id, input, signal);
      for (const { interruptId, status, payload } of resume)
        await answer(connection, id, interruptId, status === 'cancelled' ? { approved: false } : payload, signal);
      yield* agent.followed(id, input, { position: positions.get(threadId), signal });
    });
  }

  protected override connect(input: RunAgentInput): Observable<BaseEvent> {
    return this.events(input, async function* (agent, id, signal) {
      yield* agent.snapshot(id, input, signal);
      yield* agent.followed(id, input, { position: agent.positions.get(input.threadId), signal });
    });
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
    const { place } = movesSince(beginningAt(turnIn(whole)), { ...whole, head: whole }, new Date());
    const { part: _, ...told } = place;
    const messages = whole.messages.filter(({ seq }) => seq <= told.seq);
    yield { type: 'MESSAGES_SNAPSHOT', messages: agUiMessages({ ...whole, messages }) };
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
