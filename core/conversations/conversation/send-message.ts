import { filesOf } from '../../base/content/parts';
import type { Claims } from '../../base/state/given';
import { isOver } from '../../base/state/schemas';
import type { Counts } from '../../base/state/user-limits';
import { WrongState } from '../../base/text/errors';
import { type Locale, localeOf } from '../../base/time/time-zone';
import type { Agent, MessagePolicy } from '../agent/agent';
import { deciderOf } from '../agent/approvers';
import { readCall } from '../calls/call';
import { toolOf } from '../calls/call-state';
import { whyNotAnswered } from '../calls/callback';
import { notDone } from '../calls/change-call';
import { withdrawCall } from '../calls/close';
import { attachFiles, type SentPart } from '../files/references';
import { closePending } from '../replies/pending-reply';
import { key } from '../rows/keys';
import type { Meta, StoredRun } from '../rows/meta';
import { readableMessage } from '../rows/readable';
import type { StoredCallback, StoredMessage } from '../rows/rows';
import { append } from '../runs/append';
import { checkOwner } from '../runs/conversation';
import { movedTo } from '../runs/user-settings';
import { changeConversation } from '../store/change-conversation';
import { cutDraft } from '../store/end-draft';
import { RowConflict, readRow, readShownMeta, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { type Answered, answered, openCallbacks } from './answer';

/** A person's message. */
export interface SentMessage {
  user: string;
  text: string;
  /** The parts, if there are others than one text. `text` is then the words of all. */
  parts?: SentPart[];
  /** The client's id for the message. A message that is sent twice is stored once. */
  clientMessageId?: string;
  /** The question that this message must answer. If that is not possible, nothing is stored. */
  callbackId?: string;
  /** The user's locale. */
  locale?: Locale;
  /** The claims of the user's token that the deployment keeps. */
  claims?: Claims;
}

/** An execution whose callback has its outcome, and where to resume it. */
export type PendingResume = Pick<Answered, 'id' | 'taskTokens' | 'route'>;

/** The stored message, and what the caller must act on. Relay does it if the caller dies. */
export interface Appended {
  message: StoredMessage;
  meta: Meta;
  resumes: PendingResume[];
}

/** META lists them, and stays below 4 KB. */
const mostUnread = 300;

export const hasMostUnread = ({ pending, queued = [] }: Meta): boolean => pending.length + queued.length >= mostUnread;

/**
 * Appends a person's message. It starts a run if none is active, wakes a sleeping run, or answers an open question. Otherwise
 * the agent's `onMessage` policy applies.
 *
 * @throws NotFound if the conversation is not this user's, or has no such callback.
 * @throws AlreadyAnswered with the callback's first outcome.
 * @throws InvalidInput if the callback is not a question.
 * @throws WrongState if the agent takes no messages during a run, or too many are unread.
 * @throws LimitReached if it would start a run and the user has too many.
 */
export async function sendMessage(
  table: Table,
  agents: ReadonlyMap<string, Agent>,
  conversationId: string,
  said: SentMessage,
  now: Date,
  atMost?: Partial<Counts>,
): Promise<Appended> {
  const { clientMessageId } = said;
  const sent = clientMessageId && key.sent(clientMessageId);
  const decide = async (before: Meta) => {
    checkOwner(before, said.user);
    const { meta: moved, rows: settings } = movedTo(before, said.locale ?? {});
    const current = { ...moved, claims: said.claims };
    const { run } = current;
    const open = await openCallbacks(table, current, now);
    const question = open.find((callback) => isFor(callback, said));
    if (said.callbackId && !question) {
      await recognizeRepeated();
      throw await whyNotAnswered(table, conversationId, said.callbackId, 'question', now);
    }
    const { parts, rows: references } = await attachFiles(table, said.user, conversationId, said.parts ?? []);
    const incoming = {
      role: 'user' as const,
      author: said.user,
      text: said.text,
      ...(said.parts && { parts }),
      clientMessageId: said.clientMessageId,
      ...(moved !== before && { locale: localeOf(moved) }),
    };
    const others = [...settings, ...references];
    if (question) return answer(current, incoming, question, others);

    const policy = policyOf(agents, current);
    if (policy === 'reject') {
      await recognizeRepeated();
      throw new WrongState('The agent is working and takes no messages until it is done. Wait, or cancel the run.');
    }
    if (run && !isOver(run.status) && hasMostUnread(current))
      throw new WrongState(
        `The agent has ${mostUnread} unread messages. Wait until it has read them, or cancel the run.`,
      );
    const cut = policy === 'interrupt' && run ? await cutReply(table, conversationId, run, now) : [];
    const { meta, rows, message } = append(current, incoming, now, policy, cut);
    const interrupted = policy === 'interrupt' ? open.filter(({ kind }) => kind === 'approval') : [];
    const withdrawn = await Promise.all(interrupted.map((callback) => withdraw(callback)));
    const appended = { message, meta, resumes: withdrawn.map(({ resume }) => resume) };
    return { meta, rows: [...rows, ...others, ...withdrawn.flatMap((one) => one.rows)], answer: appended };
  };
  /** Withdraws an approval or a question that the user has interrupted. The model reads that it was not decided. */
  async function withdraw(callback: StoredCallback): Promise<{ rows: RowWrite[]; resume: PendingResume }> {
    const { id, callId, taskTokens = [] } = callback;
    const call = (await readCall(table, conversationId, callId!))!;
    const tools = new Map(agents.get(call.agent)?.tools.map((tool) => [tool.name, tool]));
    const error = notDone('The user sent a message instead of deciding about this', 'Read their message.');
    const rows = withdrawCall(call, { tool: toolOf(tools, call), callback, error, now });
    return { rows, resume: { id, taskTokens, route: 'served' } };
  }
  /** The client may repeat the message that started this run, or answered the question, because the first response was lost. */
  async function recognizeRepeated(): Promise<void> {
    if (sent && (await readRow(table, conversationId, sent))) throw new RowConflict(sent);
  }
  async function answer(
    current: Meta,
    incoming: Parameters<typeof append>[1],
    question: StoredCallback,
    others: RowWrite[],
  ) {
    // The model reads the call's result instead of the message, so it has the files as well.
    const files = filesOf(incoming);
    const outcome = await answered(table, current, question, { answer: said.text, files }, now);
    const { callId } = question;
    const { meta, rows, message } = append(current, { ...incoming, callId }, now, callId ? 'answer' : 'merge');
    const shown = { ...meta, ...outcome.status, run: { ...meta.run!, ...outcome.status } } as Meta;
    return {
      meta: shown,
      rows: [...rows, ...others, ...outcome.rows],
      answer: { message, meta: shown, resumes: [outcome] },
    };
  }
  try {
    // A callback may expire, or get a task token, between the read and the write.
    return await changeConversation<Appended>(table, conversationId, decide, {
      ...{ atMost, repairs: true },
      throwsAt: (sk) => sk === sent,
    });
  } catch (error) {
    if (error instanceof RowConflict && error.sk === sent) return readSent(table, conversationId, clientMessageId!);
    throw error;
  }
}

/** Cuts off the reply that is being written, here or at the provider. */
const cutReply = async (table: Table, conversationId: string, run: StoredRun, now: Date): Promise<RowWrite[]> => [
  ...(await cutDraft(table, conversationId, run, now)),
  ...(await closePending(table, conversationId, run, 'cancelled', now)),
];

const isFor = ({ kind, decider, id }: StoredCallback, { user, callbackId }: SentMessage): boolean =>
  kind === 'question' && decider === deciderOf('owner', user) && (callbackId === undefined || callbackId === id);

/** Returns the policy of the active run's agent. At rest no policy applies: the message starts the next run. */
function policyOf(agents: ReadonlyMap<string, Agent>, { run }: Meta): MessagePolicy {
  if (!run || isOver(run.status)) return 'merge';
  return agents.get(run.agent)?.onMessage ?? 'merge';
}

async function readSent(table: Table, conversationId: string, clientMessageId: string): Promise<Appended> {
  const sent = (await readRow(table, conversationId, key.sent(clientMessageId))) as { seq: number };
  const [row, meta] = await Promise.all([
    readRow(table, conversationId, key.message(sent.seq)),
    readShownMeta(table, conversationId),
  ]);
  return { message: readableMessage(row!), meta: meta!, resumes: [] };
}
