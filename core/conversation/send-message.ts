import type { Agent, MessagePolicy } from '../agent/agent';
import { whyNotAnswered } from '../calls/callback';
import { closeCallback } from '../calls/close';
import { append } from '../runs/append';
import { checkOwner } from '../runs/conversation';
import { isOver } from '../state/schemas';
import { key, type Meta, type StoredCallback, StoredMessage } from '../store/rows';
import { changeConversation, RowConflict, readMeta, readRow, type Table } from '../store/table';
import { WrongState } from '../text/errors';
import { type Answered, answered, openCallbacks } from './answer';

/** What a person says. */
export interface SentMessage {
  user: string;
  text: string;
  /** The client's own id of the message: sent twice, it is stored once. */
  clientMessageId?: string;
  /** The question that this must answer: if it cannot, nothing is stored. */
  callbackId?: string;
}

/** An execution that waits on a callback with an outcome, and is to be told where to go on. */
export type PendingResume = Pick<Answered, 'id' | 'taskTokens' | 'route'>;

/** What became of a message: where it stands, and what its writer has to do at once (the relay does it otherwise). */
export interface Appended {
  message: StoredMessage;
  meta: Meta;
  resumes: PendingResume[];
}

/** They are in META, which is one row of 400 KB at most. */
const mostUnread = 1_000;

/**
 * Appends a person's message: it starts a run if none is active, wakes one that sleeps, answers the question that it
 * waits on, or is taken up as the agent's policy says.
 *
 * @throws NotFound if the conversation is not this user's, or has no such callback; AlreadyAnswered with its first outcome;
 *   InvalidInput if that is no question; WrongState if the agent takes no messages while it works.
 */
export async function sendMessage(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  conversationId: string,
  said: SentMessage,
  now: Date,
): Promise<Appended> {
  const { clientMessageId } = said;
  const sent = clientMessageId && key.sent(clientMessageId);
  const decide = async (current: Meta) => {
    checkOwner(current, said.user);
    const { run } = current;
    const open = await openCallbacks(table, current, now);
    const question = open.find((callback) => isFor(callback, said));
    if (said.callbackId && !question)
      throw await whyNotAnswered(table, conversationId, said.callbackId, 'question', now);
    const incoming = {
      role: 'user' as const,
      author: said.user,
      text: said.text,
      clientMessageId: said.clientMessageId,
    };
    if (question) return answer(current, incoming, question);

    const policy = policyOf(agents, current);
    if (policy === 'reject') {
      // Sent again because its answer was lost: it may be the very message that the agent is at work on.
      if (sent && (await readRow(table, conversationId, sent))) throw new RowConflict(sent);
      throw new WrongState('The agent is at work and takes no messages until it is done. Wait, or cancel.');
    }
    if (run && !isOver(run.status) && current.pending.length + (current.queued?.length ?? 0) >= mostUnread)
      throw new WrongState(`${mostUnread} messages wait for the agent to read them. Wait, or cancel.`);
    const { meta, rows, message } = append(current, incoming, now, policy);
    const given =
      policy === 'interrupt' ? open.filter(({ kind }) => kind === 'approval').map((one) => givenUp(one, now)) : [];
    const answer_ = { message, meta, resumes: given.map(({ resume }) => resume) };
    return { meta, rows: [...rows, ...given.flatMap((one) => one.rows)], answer: answer_ };
  };
  async function answer(current: Meta, incoming: Parameters<typeof append>[1], question: StoredCallback) {
    const outcome = await answered(table, current, question, { answer: said.text }, now);
    const { callId } = question;
    const { meta, rows, message } = append(current, { ...incoming, callId }, now, callId ? 'answer' : 'merge');
    const shown = { ...meta, ...outcome.status, run: { ...meta.run!, ...outcome.status } } as Meta;
    return { meta: shown, rows: [...rows, ...outcome.rows], answer: { message, meta: shown, resumes: [outcome] } };
  }
  try {
    // A callback's token may come in this moment, or its time run out.
    return await changeConversation<Appended>(table, conversationId, decide, { throwsAt: (sk) => sk === sent });
  } catch (error) {
    if (error instanceof RowConflict && error.sk === sent) return readSent(table, conversationId, clientMessageId!);
    throw error;
  }
}

const isFor = ({ kind, mayAnswer, id }: StoredCallback, { user, callbackId }: SentMessage): boolean =>
  kind === 'question' && mayAnswer === user && (callbackId === undefined || callbackId === id);

/** While a run is active. At rest there is nothing to choose: the message starts the next one. */
function policyOf(agents: ReadonlyMap<string, Agent>, { run }: Meta): MessagePolicy {
  if (!run || isOver(run.status)) return 'merge';
  return agents.get(run.agent)?.onMessage ?? 'merge';
}

/** An approval that the user talked over: the model reads that it was not decided. */
function givenUp(
  callback: StoredCallback,
  now: Date,
): { rows: ReturnType<typeof closeCallback>; resume: PendingResume } {
  const why = 'The user wrote something instead of deciding about this, so it was not done. Read what they wrote.';
  const { id, taskTokens = [] } = callback;
  return { rows: closeCallback(callback, why, now), resume: { id, taskTokens, route: 'served' } };
}

async function readSent(table: Table, conversationId: string, clientMessageId: string): Promise<Appended> {
  const sent = (await readRow(table, conversationId, key.sent(clientMessageId))) as { seq: number };
  const [row, meta] = await Promise.all([
    readRow(table, conversationId, key.message(sent.seq)),
    readMeta(table, conversationId),
  ]);
  return { message: StoredMessage.parse(row), meta: meta!, resumes: [] };
}
