import type { Claims } from '../../core/base/state/given';
import { clip } from '../../core/base/text/clip';
import { newConversationId } from '../../core/base/text/ids';
import { storeResult } from '../../core/conversations/calls/result';
import { forkConversation } from '../../core/conversations/conversation/fork';
import { key } from '../../core/conversations/rows/keys';
import { type Meta, metaRow, withGivenRow } from '../../core/conversations/rows/meta';
import { callRow, type StoredCall } from '../../core/conversations/rows/rows';
import { emptyMeta } from '../../core/conversations/runs/conversation';
import { overwrite, type Table, write } from '../../core/conversations/store/table';
import type { SingleWrite } from '../../core/conversations/store/write';
import { type Place, type Recording, withoutFiles } from './recording';

/** What replaces an agent's own for a case. */
export interface Replaced {
  instructions?: string;
  /** The model of all agents. */
  model?: string;
}

const rowsAtOnce = 25;

/**
 * Puts a recording into the table of a local cloud, up to a step, and makes that step again in a fork.
 *
 * @param says replaces the user's last message before the step.
 * @returns the fork, and the place of its first message that is not a copy.
 */
export async function forkRecording(
  table: Table,
  { recording, place }: { recording: Recording; place: Place },
  { user, says, ...more }: Replaced & { user: string; says?: string; claims?: Claims },
  now: Date,
): Promise<{ id: string; first: number }> {
  const from = newConversationId();
  const rows = rowsBefore(recording, place, { id: from, user });
  for (let begin = 0; begin < rows.length; begin += rowsAtOnce)
    await Promise.all(rows.slice(begin, begin + rowsAtOnce).map((row) => overwrite(table, from, row)));
  const { title, agent, metadata } = recording.conversation;
  const meta: Meta = {
    ...emptyMeta({ id: from, user, agent, now }),
    title,
    metadata,
    counted: undefined,
    lastSeq: place.seq,
    lastUserSeq: place.seq,
    runs: runsIn(recording),
  };
  await writeMeta(table, meta);
  const id = newConversationId();
  const { runId, step } = place;
  const { lastSeq } = await forkConversation(table, { from, id, user, runId, step, text: says, ...more }, now);
  return { id, first: says === undefined ? lastSeq + 1 : lastSeq };
}

/** Begins a conversation with an agent, which has said nothing yet, with other instructions or another model. @returns its id. */
export async function conversationWith(
  table: Table,
  { user, agent, says, ...replaced }: Replaced & { user: string; agent: string; says: string },
  now: Date,
): Promise<string> {
  const id = newConversationId();
  const title = clip(says, { characters: 60 });
  await writeMeta(table, {
    ...emptyMeta({ id, user, agent, now }),
    title,
    counted: undefined,
    overrides: { agent, ...replaced },
  });
  return id;
}

async function writeMeta(table: Table, whole: Meta): Promise<void> {
  const { meta, rows } = withGivenRow(whole);
  await write(table, meta.conversationId, [{ sk: key.meta, put: metaRow(meta), onlyIf: 'absent' }, ...rows]);
}

/** The number of the latest run: ids of runs sort by number, and so must the next one. */
const runsIn = ({ conversation: { messages } }: Recording): number =>
  Math.max(0, ...messages.map(({ runId = '' }) => Number(/^r_(\d+)_/.exec(runId)?.[1] ?? 0)));

/** Returns the rows of the messages up to the step's reply, and of the calls before it. `copiedFrom` keeps them from being published as events. */
function rowsBefore({ conversation }: Recording, { seq }: Place, of: { id: string; user: string }): SingleWrite[] {
  const { id: copiedFrom, user } = of;
  // A message that came late may have been read before the step: it is placed by who has read it.
  const messages = conversation.messages.filter(
    (message) => message.seq <= seq || (message.readBySeq ?? seq + 1) <= seq,
  );
  const replies = new Map(messages.map((message) => [`${message.runId} ${message.step}`, message]));
  const said = messages.map((message): SingleWrite => {
    const { parts, ...words } = message;
    const kept =
      parts && withoutFiles(parts).map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part));
    // The words without a source are the owner's own.
    const isOwn = message.role === 'user' && !message.sources;
    const put = { ...words, ...(kept && { parts: kept }), ...(isOwn && { author: user }), copiedFrom };
    return { sk: key.message(message.seq), put };
  });
  const made = conversation.calls.flatMap((call): SingleWrite[] => {
    const reply = replies.get(`${call.runId} ${call.step}`);
    if (!reply || reply.seq >= seq) return [];
    const { result, ...rest } = withoutFiles(call);
    const { fields, rows } = storeResult(call.id, result, maxResultBytes);
    const stored: StoredCall = {
      ...rest,
      user,
      agent: reply.author,
      modelCallId: call.id.replace(/\W/g, '_'),
      replySeq: reply.seq,
      arguments: call.arguments ?? {},
    };
    const own = { ...callRow(stored), ...(result !== undefined && fields), copiedFrom };
    return [{ sk: key.call(call.id), put: own }, ...(result === undefined ? [] : rows)];
  });
  // A file that people have edited may have an id twice.
  return [...new Map([...said, ...made].map((row) => [row.sk, row])).values()];
}

const maxResultBytes = 4_000_000;
