import { type FilePart, filePartsIn, filesOf, type Part } from '../../base/content/parts';
import type { Claims } from '../../base/state/given';
import { Branch } from '../../base/state/schemas';
import type { Counts } from '../../base/state/user-limits';
import { InvalidInput } from '../../base/text/errors';
import { localeOf } from '../../base/time/time-zone';
import { digestOf } from '../calls/approved';
import { stepPrefix } from '../calls/call';
import { partsByKey, shownResult } from '../calls/result';
import { pathOf } from '../decisions/branches';
import { inReadingOrder, placeOf } from '../decisions/transcript';
import { referencesOfFork, referToFile } from '../files/references';
import { checkEffect } from '../members/effects';
import { mostVersions, sharedRows, tooManyVersions, versionsOf } from '../members/members';
import { authorIn, type Person, readMetaFor, userOf } from '../members/role';
import { key, prefix } from '../rows/keys';
import { copied, type ForkedKind } from '../rows/kinds';
import { type Meta, metaRow, withGivenRow } from '../rows/meta';
import { isReadable, parsedAs, throwIfUnreadable } from '../rows/readable';
import { StoredCall, type StoredMessage } from '../rows/rows';
import { bytesOf, partsThatFit } from '../rows/size';
import { append } from '../runs/append';
import { checkUnused, emptyMeta } from '../runs/conversation';
import { nextRun } from '../runs/run';
import { todosOf } from '../store/change-conversation';
import { countChange, countRow, reachedLimit, refusedBy } from '../store/counts';
import { RowConflict, readKind, readMeta, readRow, readShownMeta, type Table, write } from '../store/table';
import type { RowWrite } from '../store/write';

export interface ForkRequest {
  /** The conversation to fork, and the id of the new one. */
  from: string;
  id: string;
  /** Who asks. The new conversation is the owner's, as the other one is, and has the same members. */
  user: Person;
  /** The step to make again, in `runId` or the latest run. */
  step: number;
  runId?: string;
  /** Replaces the user's last message before the step. */
  text?: string;
  agent?: string;
  model?: string;
  instructions?: string;
  /** The claims of the user's token that the deployment keeps. */
  claims?: Claims;
}

/**
 * META's record of a fork in progress. Each attempt copies the same rows, so it has the place of the step's message when the fork began,
 * `seq`: a step that is cut off meanwhile is made again at another place. `late` are the messages that had come after that place and were
 * read by the step, which may read more of them. Both are absent in forks of earlier versions. Of long texts there are digests: a repeated
 * request has the texts again.
 */
type Forking = Omit<ForkRequest, 'user' | 'text' | 'instructions' | 'claims'> & {
  user: string;
  seq?: number;
  late?: number[];
  texts?: string;
};

/** Room in the transactions of a fork. */
const copiedAtOnce = { rows: 50, bytes: 3_000_000 };
const mostReferences = 60;

/**
 * Copies everything before a step into a new conversation and starts a run that makes the step again, optionally with another
 * text, agent, model or instructions.
 *
 * The new conversation has no owner until the copy is complete, so an interrupted fork leaves nothing visible. A repeated
 * request continues the first one with that id, or returns the finished conversation.
 *
 * @throws NotFound, NotAllowed if the person may not write in the conversation, has taken it over, or is a member and wants more than another text.
 * @throws InvalidInput if there is no such step.
 * @throws UnreadableRow, NewerRow if a row from before the step cannot be read.
 * @throws LimitReached if the user has too many conversations or active runs.
 */
export async function forkConversation(
  table: Table,
  requested: ForkRequest,
  now: Date,
  atMost?: Partial<Counts>,
): Promise<Meta> {
  const { from, id, user: person } = requested;
  const source = await readMetaFor(table, from, person, 'member');
  const user = userOf(person);
  const { owner } = source;
  const isOwner = user === owner;
  const replaces = (requested.agent ?? requested.model ?? requested.instructions) !== undefined;
  const may = checkEffect(source, person, replaces ? 'replace' : 'fork');
  if (source.unreadable) await readMeta(table, from);
  const there = await readMeta(table, id);
  if (there && !there.forking) return readMetaFor(table, id, person);
  if (!there) {
    await checkUnused(table, id);
    if (source.members && (await versionsOf(table, from)).length >= mostVersions) throw tooManyVersions();
  }
  const { text, instructions, claims, user: _, ...small } = requested;
  const request: Forking = there?.forking
    ? JSON.parse(there.forking)
    : { ...small, user, runId: requested.runId ?? source.run?.id, texts: digestOf({ text, instructions }) };
  if (request.user !== user || request.from !== from) return readMetaFor(table, id, person);
  if (request.texts !== undefined && request.texts !== digestOf({ text, instructions }))
    throw new InvalidInput('id', 'another version with this id is being made, with another text; use another id');
  const { model } = request;
  const { kept, author, at, files, ...begins } = await before(table, source, { ...request, text });
  const forking = there?.forking ?? JSON.stringify({ ...request, ...begins } satisfies Forking);
  // Looked at before the copy, so a refused fork leaves nothing. The last write holds it under a race.
  const full = await reachedLimit(table, [countRow(owner, { runs: 1, conversations: 1 }, atMost)]);
  if (full) throw full;
  const begun = metaRow({ ...emptyMeta({ id, user: owner, agent: source.agent, now }), owner: '', forking });
  await write(table, id, [{ sk: key.meta, put: begun, onlyIf: 'absent' }]);
  const isStill = { sk: key.meta, set: { forking }, onlyIf: { forking } };
  // Another request has begun or completed it.
  if ((await readMeta(table, id))?.forking !== forking || !(await copy(table, { from, id, isStill }, kept)))
    return forkConversation(table, requested, now, atMost);

  const messages = kept.filter((row): row is MessageRow => 'seq' in row);
  // A message is placed right before the reply that read it; the new message must come after that place.
  const lastSeq = messages.reduce((last, { seq, readBySeq = 0 }) => Math.max(last, seq, readBySeq - 1), 0);
  const lastUserSeq = messages.findLast(({ role }) => role === 'user')?.seq ?? 0;
  // The agent that made the step. A hand-off may have replaced it since.
  const agent = request.agent ?? author;
  // Without a text, what the model has read says where the user was.
  const locale = (text === undefined && messages.findLast((row) => row.locale)?.locale) || source;
  const empty: Meta = {
    ...emptyMeta({ id, user: owner, agent, now }),
    ...localeOf(locale),
    // Its agents act for the owner.
    claims: isOwner ? claims : source.claims,
    members: source.members,
    membersVersion: source.membersVersion,
    metadata: source.metadata,
    // Another text is another subject, unless its user has named it.
    ...(text && source.titledBy !== 'user' ? {} : { title: source.title, titledBy: source.titledBy }),
    pinned: source.pinned,
    lastSeq,
    lastUserSeq,
    runs: source.runs,
    entry: request.agent ?? source.entry,
    handedOver: source.handedOver && { ...source.handedOver, seq: Math.min(source.handedOver.seq, lastSeq) },
    rootId: source.rootId ?? from,
    overrides: model || instructions ? { agent, model, instructions } : undefined,
  };
  const { meta, rows } = text
    ? append(
        empty,
        { role: 'user', ...authorIn(source, person), text, ...withFiles(text, files), locale: localeOf(source) },
        now,
      )
    : { meta: nextRun(empty, now), rows: [] };
  if (may === 'asks') meta.run = { ...meta.run!, askedBy: user };
  const { meta: forked, rows: given } = withGivenRow(meta);
  const whole = { ...forked, version: meta.version + 1 };
  const counts = countChange(undefined, whole, atMost);
  const branch = await branchOf(table, source, { at, by: id, seq: lastSeq + 1 }, now);
  const named = [...filesInRows(kept), ...files];
  const shared = await referencesOfFork(table, owner, { from, to: id }, named);
  // A source that is deleted beside the fork has let go of its files by now: a fork without them would lose them.
  if (named.length > 0) await readMetaFor(table, from, person, 'member');
  // A transaction has at most 100 rows. The first references come before the last write, which most forks do not need.
  for (const row of shared.splice(mostReferences))
    if (!(await referToFile(table, owner, { from, to: id }, row.sk.slice(prefix.file.length), isStill)))
      return forkConversation(table, requested, now, atMost);
  try {
    if (
      await write(table, id, [
        { sk: key.meta, put: metaRow(whole), onlyIf: { forking } },
        ...todosOf(whole),
        ...given,
        ...rows,
        branch,
        ...counts,
        ...shared,
        ...sharedRows(source, id, now),
        held(source),
      ])
    )
      return whole;
  } catch (error) {
    // A file has changed, or is gone; or the members have changed.
    if (error instanceof RowConflict && (error.sk.startsWith(prefix.file) || error.sk === key.meta))
      return forkConversation(table, requested, now, atMost);
    throw error instanceof RowConflict && error.sk === key.counts ? await refusedBy(table, counts) : error;
  }
  return readMetaFor(table, id, person);
}

/** Holds who is in a conversation while its fork gets them. What changes all versions meanwhile is decided again, with the fork. */
const held = ({ conversationId, membersVersion }: Meta): RowWrite => ({
  pk: key.conversation(conversationId),
  sk: key.meta,
  set: {},
  onlyIf: { membersVersion: membersVersion ?? null },
});

/** Returns the row of the family's root that says where the fork departs. */
async function branchOf(
  table: Table,
  { conversationId: from, rootId = from }: Meta,
  departure: { at: number; by: string; seq: number },
  now: Date,
): Promise<RowWrite> {
  const own = await readRow(table, rootId, key.branch(from));
  const path = pathOf({ ...departure, from, path: own ? parsedAs(Branch, own).path : [] });
  const branch: Branch = { id: departure.by, path, createdAt: now.toISOString() };
  return { pk: key.conversation(rootId), sk: key.branch(departure.by), put: branch };
}

type MessageRow = StoredMessage & { pk: string; sk: string };
type Row = { pk: string; sk: string };

/** Returns the files of messages and of results. */
function filesInRows(rows: Row[]): FilePart[] {
  const parts = partsByKey(rows.filter(({ sk }) => sk.startsWith(prefix.part)));
  return rows.flatMap((row) => {
    if (row.sk.startsWith(prefix.message)) return filesOf(row as MessageRow);
    return row.sk.startsWith(prefix.call) ? filePartsIn(shownResult(parsedAs(StoredCall, row), parts)) : [];
  });
}

/** Another text goes with the same files. */
const withFiles = (text: string, files: FilePart[]): { parts?: Part[] } =>
  files.length > 0 ? { parts: [{ type: 'text', text }, ...files] } : {};

/** Reads all messages, calls and result parts from before the step, and finds the agent that made it, and the message that is replaced. */
async function before(
  table: Table,
  { conversationId, run }: Meta,
  { step, runId, text, seq: begun, late: lateThen }: Omit<Forking, 'from' | 'id' | 'user'> & { text?: string },
): Promise<{ kept: Row[]; author: string; at: number; seq: number; late: number[]; files: FilePart[] }> {
  const [allMessages = [], callRows = [], parts = []] = (await Promise.all(
    (['message', 'call', 'part'] as const).map((kind) => readKind(table, conversationId, kind)),
  )) as [MessageRow[], Row[], Row[]];
  const messageRows = allMessages.filter(isReadable);
  // Its step's rows say later than META that they are read, so META decides; it is read after them.
  const { pending = [], queued = [] } = (await readShownMeta(table, conversationId)) ?? {};
  const unread = new Set([...pending, ...queued]);
  const ofRun = runId ?? run?.id;
  const isStep = (row: MessageRow) => isReply(row) && row.runId === ofRun && row.step === step;
  // Earlier replies of this step were cut off by a message, which the last one answers.
  const place = messageRows.findLastIndex((row) => isStep(row) && row.seq === (begun ?? row.seq));
  if (place < 0) throw new InvalidInput('step', `there is no step ${step} in the run ${ofRun}`);
  const { seq, author } = messageRows[place]!;
  const isRead = (row: MessageRow) => placeOf(row) < seq && !unread.has(row.seq);
  const earlier = inReadingOrder(messageRows).filter((row) =>
    lateThen && row.seq > seq ? lateThen.includes(row.seq) : isRead(row),
  );
  const late = earlier.map((row) => row.seq).filter((one) => one > seq);
  // A new text replaces the user's last message and everything that followed from it.
  const lastSaid = earlier.findLastIndex(
    ({ role, callId, aside }) => role === 'user' && callId === undefined && !aside,
  );
  const replaced = text === undefined || lastSaid < 0 ? earlier.length : lastSaid;
  const messages = earlier.slice(0, replaced).map((row) => asRead(row, seq));

  const made = messages.filter((row) => isReply(row) && row.status !== 'cancelled');
  const steps = made.map((row) => key.call(stepPrefix(row.runId!, row.step!)));
  const calls = callRows.filter(({ sk }) => steps.some((one) => sk.startsWith(one)));
  // Nothing is made again without what came before it.
  for (const row of [...allMessages.filter(({ sk }) => sk < key.message(seq)), ...calls]) throwIfUnreadable(row);
  const ids = new Set(calls.map(({ sk }) => sk.slice(prefix.call.length)));
  const [last] = earlier.slice(replaced);
  const at = last?.seq ?? seq;
  const kept: Record<ForkedKind, Row[]> = {
    message: messages,
    call: calls,
    part: parts.filter(({ sk }) => ids.has(sk.split('#')[1]!)),
  };
  const files = last ? filesOf(last) : [];
  return { author, at, seq, late, files, kept: Object.values(kept).flat() };
}

/** A message that a step has read, whose row may not say so yet. What people think of it is about the original. */
const asRead = ({ feedback: _, ...row }: MessageRow, seq: number): MessageRow =>
  row.status === 'pending' ? { ...row, status: 'complete', readBySeq: seq } : row;

const isReply = ({ role, callId }: StoredMessage): boolean => role === 'assistant' && callId === undefined;

/** @returns false if the fork `isStill` in progress no more. Then nothing is written: a late copy could replace what its run has written. */
async function copy(
  table: Table,
  { from, id, isStill }: { from: string; id: string; isStill: RowWrite },
  rows: Row[],
): Promise<boolean> {
  // Keeps copies from being published as events a second time.
  const copies = rows.map((row) => ({ sk: row.sk, put: { ...copied(row), copiedFrom: from } }));
  for (const part of partsThatFit(copies, copiedAtOnce, bytesOf))
    if (!(await write(table, id, [isStill, ...part]))) return false;
  return true;
}
