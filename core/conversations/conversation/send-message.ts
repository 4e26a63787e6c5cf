// core/conversations/conversation: each way in which a user changes a conversation: send, answer, approve, cancel, retry, fork, delete.

import { asksFor } from 'vigil-client/shared';
import { filesOf } from '../../base/content/parts';
import type { Claims } from '../../base/state/given';
import { isOver } from '../../base/state/schemas';
import type { TraceContext } from '../../base/state/trace';
import type { Counts } from '../../base/state/user-limits';
import { InvalidInput, WrongState } from '../../base/text/errors';
import { type Locale, localeOf } from '../../base/time/time-zone';
import type { Agent, MessagePolicy } from '../agent/agent';
import { deciderOf } from '../agent/approvers';
import { readCall } from '../calls/call';
import { toolOf } from '../calls/call-state';
import { whyNotAnswered } from '../calls/callback';
import { notDone } from '../calls/change-call';
import { withdrawCall } from '../calls/close';
import { attachFiles, type SentPart } from '../files/references';
import { authorIn, checkRole, type Person, roleIn, takerIn, userOf } from '../members/role';
import { checkGivesBack, steppingIn } from '../members/take-over';
import { closePending } from '../replies/pending-reply';
import { key } from '../rows/keys';
import type { Meta } from '../rows/meta';
import { parsedAs } from '../rows/readable';
import { type StoredCallback, StoredMessage } from '../rows/rows';
import { type Way as AppendWay, append, contentOf, type Incoming } from '../runs/append';
import { keyOfSent, type SentOnce, seqOfRepeated } from '../runs/once';
import { endAndStartQueued } from '../runs/run';
import { standing } from '../runs/standing';
import { movedTo } from '../runs/user-settings';
import { type Change, changeConversation } from '../store/change-conversation';
import { cutDraft } from '../store/end-draft';
import { readRow, readShownMeta, type Table } from '../store/table';
import type { RowWrite } from '../store/write';
import { answered, openCallbacks } from './answer';

/** A person's message. */
export interface SentMessage {
  user: Person;
  text: string;
  /** The parts, if there are others than one text. `text` is then the words of all. */
  parts?: SentPart[];
  /** The client's id for the message. A message that is sent twice is stored once. */
  clientMessageId?: string;
  /** The question that this message must answer. If that is not possible, nothing is stored. */
  callbackId?: string;
  /** Written to the people of the conversation, and not to its agent. */
  aside?: boolean;
  /** With the answer by which a person gives the conversation back: the run is done, and the agent says no more. */
  ends?: boolean;
  /** The person takes the conversation over, and says why. */
  stepsIn?: boolean;
  /** The name that the person's token has, for a member whom the conversation knows by none. */
  called?: string;
  /** The users whom it mentions. */
  mentions?: readonly string[];
  /** The user's locale. */
  locale?: Locale;
  /** The claims of the user's token that the deployment keeps. */
  claims?: Claims;
  /** The trace context of the request. */
  caller?: TraceContext;
}

/** The stored message, and the conversation that it is in. */
export interface Appended {
  message: StoredMessage;
  meta: Meta;
}

/** META lists them, and stays below 4 KB. */
export const mostUnread = 300;

export const hasMostUnread = ({ pending, queued = [] }: Meta): boolean => pending.length + queued.length >= mostUnread;

/**
 * Appends a person's message. It starts a run if none is active, wakes a sleeping run, or answers an open question. Otherwise
 * the agent's `onMessage` policy applies.
 *
 * What a member writes is marked as theirs: the agent reads who says it, and calls with an effect need an approval after it. It changes
 * neither the claims nor the place with which the agents act, which are the owner's.
 *
 * @throws NotFound, NotAllowed if the person may not write here, or it has no such callback.
 * @throws AlreadyAnswered with the callback's first outcome.
 * @throws InvalidInput if the callback is not a question, or a hand-off to this person.
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
  const once = onceOf(said);
  const take = async (before: Meta): Promise<Change<Appended>> => {
    const sending = await sendingTo(before, { table, agents, said, once, now });
    return ways.find(({ fits }) => fits(sending))!.take(sending);
  };
  try {
    // A callback may expire, or get a task token, between the read and the write.
    return await changeConversation(table, conversationId, take, {
      atMost,
      throwsAt: (sk) => once !== undefined && sk === keyOfSent(once),
    });
  } catch (error) {
    return storedBefore(table, conversationId, await seqOfRepeated(table, conversationId, once, error));
  }
}

interface Way {
  fits(sending: Sending): unknown;
  take(sending: Sending): Change<Appended> | Promise<Change<Appended>>;
}

/** The ways in which a message is taken, of which the first that fits wins. */
const ways: readonly Way[] = [
  { fits: ({ question }) => question, take: answer },
  { fits: ({ incoming }) => incoming.aside, take: (sending) => appended(sending, 'aside') },
  { fits: ({ policy }) => policy === 'reject', take: refuseBusy },
  { fits: ({ current }) => isActive(current) && hasMostUnread(current), take: refuseFull },
  { fits: ({ policy }) => policy === 'interrupt', take: interrupt },
  { fits: () => true, take: (sending) => appended(sending, sending.policy === 'queue' ? 'queue' : 'merge') },
];

/** A message that its sender may write, and what decides its way. */
interface Sending {
  table: Table;
  agents: ReadonlyMap<string, Agent>;
  said: SentMessage;
  once?: SentOnce;
  now: Date;
  /** META, with what the request says about the owner. */
  current: Meta;
  /** What the run waits for. */
  open: StoredCallback[];
  /** The question that it answers, or the hand-off that it ends. */
  question?: StoredCallback;
  policy: MessagePolicy;
  incoming: Incoming;
  /** The rows of its files, and of the owner's settings. */
  others: RowWrite[];
}

type Sent = Pick<Sending, 'table' | 'agents' | 'said' | 'once' | 'now'>;

/** Reads what decides the way of a message. @throws what keeps it from being sent. */
async function sendingTo(before: Meta, sent: Sent): Promise<Sending> {
  const { table, agents, said, once, now } = sent;
  const { user, text, callbackId } = said;
  const scheduled = said.stepsIn ? steppingIn(before, agentOf(agents, before), user, text) : undefined;
  const isOwner = !scheduled && checkRole(before, said.user, 'member') === 'owner';
  const { meta: moved, rows: settings } = movedTo(before, (isOwner && said.locale) || {});
  const current = isOwner ? { ...moved, claims: said.claims } : moved;
  const open = await openCallbacks(table, current, now);
  const person = open.find(({ kind }) => asksFor(kind, 'take-over'));
  const isAside = said.aside || (person && said.callbackId === undefined);
  const mentions = mentionedIn(before, said);
  const answers = (callback: StoredCallback) =>
    isFor(callback, current.owner, callbackId) && !(scheduled && callback.callId);
  const question = isAside ? undefined : open.find(answers);
  if (scheduled && person) throw new WrongState('It waits for a person already: claim it.');
  if (question) checkGivesBack(before, question, userOf(user), said.ends);
  if (callbackId && !question) throw await whyNotAnswered(table, current.conversationId, callbackId, 'question', now);
  const attached = await attachFiles(table, current.owner, current.conversationId, said.parts ?? [], userOf(user));
  const incoming: Incoming = {
    role: 'user',
    ...authorIn(before, user, said.called),
    ...(isAside && { aside: true as const }),
    ...(scheduled && { scheduled }),
    ...(mentions.length > 0 && { mentions }),
    text,
    ...(said.parts && { parts: attached.parts }),
    clientMessageId: said.clientMessageId,
    once,
    caller: said.caller,
    ...(moved !== before && { locale: localeOf(moved) }),
  };
  const policy = scheduled ? 'interrupt' : policyOf(agents, current);
  return { ...sent, current, open, question, policy, incoming, others: [...settings, ...attached.rows] };
}

/** @param more what else follows from the message. */
function appended(
  { now, current, incoming, others }: Sending,
  way: AppendWay,
  more: { cut?: RowWrite[]; rows?: RowWrite[] } = {},
): Change<Appended> {
  const { meta, rows, message } = append(current, incoming, now, way, more.cut);
  return { meta, rows: [...rows, ...others, ...(more.rows ?? [])], answer: { message, meta } };
}

/** Closes the question. The run continues with the answer. */
async function answer({ question, ...sending }: Sending): Promise<Change<Appended>> {
  const { table, said, now, current, incoming } = sending;
  const { kind, callId } = question!;
  const isOfPerson = asksFor(kind, 'take-over');
  // The model reads the call's result instead of the message, so it has the files as well.
  const given = { answer: said.text, files: filesOf(incoming), sources: incoming.sources, ends: said.ends };
  const outcome = await answered(table, current, question!, given, now);
  // The model reads a person's note as a message, after what else was said.
  const noted = { ...sending, incoming: { ...incoming, ...(isOfPerson ? { about: callId } : { callId }) } };
  const { meta: before, ...change } = appended(noted, callId ? 'answer' : 'merge', { rows: outcome.rows });
  const after = standing(before!, outcome.status);
  // The execution that resumes, or begins, finds its run over.
  const meta = isOfPerson && said.ends ? endAndStartQueued(standing(after, { status: 'done' }), now) : after;
  return { ...change, meta, answer: { ...change.answer, meta } };
}

function refuseBusy(): never {
  const why = 'The agent is working and takes no messages until it is done. Wait, or cancel the run.';
  throw new WrongState(why, { kind: 'agent-busy' });
}

function refuseFull(): never {
  const why = `The agent has ${mostUnread} unread messages. Wait until it has read them, or cancel the run.`;
  throw new WrongState(why, { kind: 'too-many-unread', values: { most: mostUnread } });
}

/** Cuts off the reply that is being written, here or at the provider, and withdraws what the agent has asked. */
async function interrupt(sending: Sending): Promise<Change<Appended>> {
  const { table, now, open, incoming, current } = sending;
  const { run, conversationId } = current;
  const cut = run && [
    ...(await cutDraft(table, conversationId, run, now)),
    ...(await closePending(table, conversationId, run, 'cancelled', now)),
  ];
  const asked = open.filter(({ kind }) => asksFor(kind, 'decision') || (incoming.scheduled && asksFor(kind, 'answer')));
  const rows = (await Promise.all(asked.map((callback) => withdrawn(sending, callback)))).flat();
  return appended(sending, 'interrupt', { cut, rows });
}

/** Withdraws an approval or a question. The model reads that it was not decided. */
async function withdrawn(
  { table, agents, said, now, current }: Sending,
  callback: StoredCallback,
): Promise<RowWrite[]> {
  const call = (await readCall(table, current.conversationId, callback.callId!))!;
  const tools = new Map(agents.get(call.agent)?.tools.map((tool) => [tool.name, tool]));
  const error = said.stepsIn
    ? notDone('A person has taken the conversation over before this was decided')
    : notDone('The user sent a message instead of deciding about this', 'Read their message.');
  return withdrawCall(call, { tool: toolOf(tools, call), callback, error, now });
}

/** A question to the owner, which members answer, too; or the hand-off to a person, who gives the conversation back by its id. */
const isFor = ({ kind, decider, id }: StoredCallback, owner: string, callbackId: string | undefined): boolean => {
  if (asksFor(kind, 'take-over')) return callbackId === id;
  if (!asksFor(kind, 'answer') || decider !== deciderOf('owner', owner)) return false;
  return callbackId === undefined || callbackId === id;
};

const mostMentions = 10;

/** Those who talk while a person has taken over hear of each other's messages. @throws InvalidInput naming who is not in the conversation. */
function mentionedIn(meta: Meta, { mentions = [], user: author }: SentMessage): string[] {
  const users = [...new Set(mentions)];
  const stranger = users.findIndex((user) => roleIn(meta, user) === undefined);
  if (stranger >= 0) throw new InvalidInput(`mentions.${stranger}`, 'this user is not in the conversation');
  if (users.length > mostMentions)
    throw new InvalidInput('mentions', `a message mentions at most ${mostMentions} users`);
  const taker = takerIn(meta)?.user;
  const talking = taker === undefined ? [] : [meta.owner, taker].filter((one) => one !== userOf(author));
  return [...new Set([...users, ...talking])];
}

const isActive = ({ run }: Meta): boolean => run !== undefined && !isOver(run.status);

/** Returns the agent of the active run, or the one that reads the next message. */
const agentOf = (agents: ReadonlyMap<string, Agent>, meta: Meta): Agent | undefined =>
  agents.get(isActive(meta) ? meta.run!.agent : meta.agent);

/** Returns the policy of the active run's agent. At rest no policy applies: the message starts the next run. */
const policyOf = (agents: ReadonlyMap<string, Agent>, meta: Meta): MessagePolicy =>
  (isActive(meta) && agentOf(agents, meta)?.onMessage) || 'merge';

function onceOf({ clientMessageId, ...said }: SentMessage): SentOnce | undefined {
  if (clientMessageId === undefined) return undefined;
  const { user, callbackId, aside, ends, stepsIn } = said;
  const content = { ...contentOf(said), callbackId, aside, ends, stepsIn };
  return { by: userOf(user), id: clientMessageId, content };
}

async function storedBefore(table: Table, conversationId: string, seq: number): Promise<Appended> {
  const [row, meta] = await Promise.all([
    readRow(table, conversationId, key.message(seq)),
    readShownMeta(table, conversationId),
  ]);
  return { message: parsedAs(StoredMessage, row!), meta: meta! };
}
