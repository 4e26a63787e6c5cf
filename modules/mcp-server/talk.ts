import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claims } from '../../core/base/state/given';
import type { Conversation } from '../../core/base/state/schemas';
import type { TraceContext } from '../../core/base/state/trace';
import type { Counts } from '../../core/base/state/user-limits';
import { chosenConversationId, newConversationId } from '../../core/base/text/ids';
import type { Registry } from '../../core/conversations/agent/registry';
import { cancelRun } from '../../core/conversations/conversation/cancel';
import { sendMessage } from '../../core/conversations/conversation/send-message';
import { giveFiles } from '../../core/conversations/files/references';
import { readMetaFor } from '../../core/conversations/members/role';
import type { Meta } from '../../core/conversations/rows/meta';
import { createConversation } from '../../core/conversations/runs/conversation';
import { seenByOthers, shownConversation } from '../../core/people/views/shown';
import { viewConversation } from '../../core/people/views/view';
import { BadRequest } from '../../lambdas/problems';
import { type Filing, type GivenFiles, storeFiles } from './files';

export interface Talking extends Filing {
  registry: Registry;
  /** Does at once what follows from what was committed. */
  carryOut(): Promise<void>;
  counts(): Counts;
  /** The longest wait of a call for the agent. */
  waitMs: number;
}

/** The user that a token names, which of its claims are kept, and the trace to which the request belongs. */
export interface Person {
  user: string;
  claims?: Claims;
  caller?: TraceContext;
}

/** A message to an agent. */
export interface Said {
  /** Who must have begun the conversation. Only an answer to a question may leave it out. */
  agent?: string;
  message: string;
  conversation?: string;
  question?: string;
  files?: GivenFiles;
  request_id?: string;
}

/** The position of a message. */
export interface Place {
  conversation: string;
  seq: number;
}

/**
 * Sends a message to an agent: in a new conversation, or in one that began with this agent. With a `request_id`, a repeated request
 * changes nothing.
 *
 * @throws NotFound, WrongState, AlreadyAnswered, LimitReached as the API does.
 * @throws BadRequest if the conversation began with another agent.
 */
export async function say(talking: Talking, { user, claims, caller }: Person, said: Said): Promise<Place> {
  const { table, registry, carryOut, counts } = talking;
  const { agent, message: text, conversation, question, files = [], request_id } = said;
  const sent = await storeFiles(talking, user, files);
  const parts = sent.length > 0 ? { parts: [{ type: 'text' as const, text }, ...sent] } : {};
  // The message is a part of it: a client that uses the same id for another message sends another message.
  const repeated =
    request_id &&
    createHash('sha256')
      .update(JSON.stringify([request_id, agent, conversation, question, text, ...sent]))
      .digest('hex');
  if (conversation === undefined && agent !== undefined) {
    // A digest is ASCII.
    const id = repeated ? chosenConversationId(user, `m_${repeated.slice(0, 40)}`) : newConversationId();
    const begun = { id, user, agent, text, ...parts, claims, caller };
    await createConversation(table, begun, new Date(), counts());
    await carryOut();
    return { conversation: id, seq: 1 };
  }
  if (conversation === undefined) throw new BadRequest([{ path: 'conversation', message: 'is missing' }]);
  const { entry, owner } = await readMetaFor(table, conversation, user, 'member');
  if (agent !== undefined && entry !== agent)
    throw new BadRequest([{ path: 'conversation', message: `it began with the agent ${entry}: call that tool` }]);
  await giveFiles({ table, store: talking.files }, { from: user, to: owner }, sent, talking.fileLimits(), new Date());
  const one = { user, claims, text, ...parts, callbackId: question, clientMessageId: repeated, caller };
  const appended = await sendMessage(table, registry.agents, conversation, one, new Date(), counts());
  await carryOut();
  return { conversation, seq: appended.message.seq };
}

/**
 * Waits until the agent has nothing to do at the moment, or the time is over. A run that sleeps or waits for people is not waited for.
 *
 * @param after the message after which to begin; by default, the latest to the agent is the first.
 * @throws NotFound if the conversation is not this user's.
 */
export async function look(
  { table, waitMs }: Talking,
  user: string,
  conversation: string,
  after?: number,
): Promise<Conversation> {
  const until = Date.now() + waitMs;
  let meta = await readMetaFor(table, conversation, user);
  for (
    let pause = shortestPauseMs;
    isAtWork(meta) && Date.now() + pause < until;
    pause = Math.min(pause * 1.5, 2_000)
  ) {
    await sleep(pause);
    meta = await readMetaFor(table, conversation, user);
  }
  return viewConversation(table, conversation, user, { after: after ?? Math.max(0, meta.lastUserSeq - 1) });
}

const shortestPauseMs = 200;

/** Sub-agents are waited for, because they are at work as well. */
const isAtWork = ({ status, waitsFor }: Meta): boolean =>
  status === 'running' || status === 'cancelling' || (status === 'waiting' && waitsFor === 'agent');

/** Returns a conversation as somebody learns of it who has stopped its run, and is in it no longer: that it is over. */
export const asStopped = (meta: Meta): Conversation => ({
  ...shownConversation(seenByOthers(meta)),
  messages: [],
  more: false,
  calls: [],
  callbacks: [],
  timers: [],
});

/** @throws NotFound, WrongState as the API does. */
export async function cancel(
  { table, registry, carryOut }: Talking,
  user: string,
  conversation: string,
  runId?: string,
): Promise<Meta> {
  const wanted = { conversationId: conversation, user, runId };
  const stopped = await cancelRun(table, registry.tools, wanted, new Date());
  await carryOut();
  return stopped;
}
