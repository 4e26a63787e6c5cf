import { NotFound } from '../errors';
import { newRunId } from '../ids';
import { addUsage, isOver, noUsage } from '../schemas';
import { type AnsweredCallback, answerOf, refusal } from './callback';
import { key, type Meta, StoredMessage } from './rows';
import { newRun } from './run';
import { awaken } from './segment';
import { changeConversation, RowConflict, readMeta, readRow, type Table, write } from './table';
import type { RowWrite } from './write';

/** What a person says. */
export interface Said {
  user: string;
  text: string;
  /** The client's own id of the message: sent twice, it is stored once. */
  clientMessageId?: string;
  /** The callback that this must answer: if it cannot, nothing is stored. */
  callbackId?: string;
}

/** What became of a message: where it stands, and what its writer has to do at once (the relay does it otherwise). */
export interface Appended {
  message: StoredMessage;
  meta: Meta;
  /** A question that the message answered; its execution is to be told. */
  answered?: AnsweredCallback;
}

const titleCharacters = 60;
const attemptsToAnswer = 5;
/** A client does not send a message again after a month; DynamoDB then deletes what it would be recognised by. */
const ttlOf = (now: Date): number => Math.floor(now.getTime() / 1_000) + 30 * 86_400;

/**
 * Starts a conversation, and with a text its first run. The same id again returns the one that is there, running or
 * finished, and starts nothing.
 *
 * @throws NotFound if the id belongs to somebody else.
 */
export async function createConversation(
  table: Table,
  {
    id,
    user,
    agent,
    text,
    clientMessageId,
  }: { id: string; user: string; agent: string; text?: string; clientMessageId?: string },
  now: Date,
): Promise<{ meta: Meta; created: boolean }> {
  const at = now.toISOString();
  const empty: Meta = {
    conversationId: id,
    version: 1,
    owner: user,
    title: titleOf(text),
    agent,
    status: 'idle',
    createdAt: at,
    updatedAt: at,
    lastSeq: 0,
    lastUserSeq: 0,
    pending: [],
    earlierUsage: noUsage,
  };
  const first = text === undefined ? { meta: empty, rows: [] } : appended(empty, { user, text, clientMessageId }, now);
  const rows: RowWrite[] = [{ sk: key.meta, put: first.meta, onlyIf: 'absent' }, ...first.rows];
  if (await write(table, id, rows)) return { meta: first.meta, created: true };
  return { meta: await readOwnMeta(table, id, user), created: false };
}

/**
 * Appends a person's message: it starts a run if none is active, wakes one that sleeps, answers the question that it
 * waits on, or is taken up by the next model call.
 *
 * @throws NotFound if the conversation is not this user's, or has no such callback; AlreadyAnswered with its first outcome.
 */
export async function appendMessage(table: Table, conversationId: string, said: Said, now: Date): Promise<Appended> {
  const append = () =>
    changeConversation<Appended>(table, conversationId, async (current) => {
      if (current.owner !== said.user) throw notFound(conversationId);
      const answered = await answerOf(table, current, said.text, now);
      if (said.callbackId && answered?.id !== said.callbackId)
        throw await refusal(table, conversationId, said.callbackId);
      const { meta, rows, message } = appended(current, said, now, answered !== undefined);
      return { meta, rows: [...rows, ...(answered ? [answered.row] : [])], answer: { message, meta, answered } };
    });
  for (let attempt = 1; ; attempt++) {
    try {
      return await append();
    } catch (error) {
      if (!(error instanceof RowConflict)) throw error;
      const { clientMessageId } = said;
      if (clientMessageId && error.sk === key.sent(clientMessageId))
        return readSent(table, conversationId, clientMessageId);
      // The question's row changed under us: its token came, or it expired. Look again.
      if (attempt === attemptsToAnswer) throw error;
    }
  }
}

function appended(current: Meta, said: Said, now: Date, answers = false) {
  const { user, text, clientMessageId } = said;
  const seq = current.lastSeq + 1;
  const createdAt = now.toISOString();
  const atRest = !current.run || isOver(current.run.status);
  const message: StoredMessage = {
    seq,
    version: 1,
    role: 'user',
    author: user,
    text,
    status: 'pending',
    clientMessageId,
    createdAt,
  };
  const run = atRest ? newRun(newRunId(), current.agent, now) : current.run!;
  const status = answers || atRest ? 'running' : run.status;
  const meta: Meta = {
    ...current,
    title: current.title || titleOf(text),
    lastSeq: seq,
    lastUserSeq: seq,
    pending: [...current.pending, seq],
    updatedAt: createdAt,
    status,
    until: atRest ? undefined : current.until,
    run: { ...run, status },
    ...(atRest && {
      outbox: 'start' as const,
      earlierUsage: addUsage(current.earlierUsage, current.run?.usage ?? noUsage),
    }),
  };
  const rows: RowWrite[] = [{ sk: key.message(seq), put: message, onlyIf: 'absent' }];
  if (clientMessageId) rows.push({ sk: key.sent(clientMessageId), put: { seq, ttl: ttlOf(now) }, onlyIf: 'absent' });
  return { meta: run.status === 'sleeping' ? awaken(meta, run, now) : meta, rows, message };
}

async function readSent(table: Table, conversationId: string, clientMessageId: string): Promise<Appended> {
  const sent = (await readRow(table, conversationId, key.sent(clientMessageId))) as { seq: number };
  const [row, meta] = await Promise.all([
    readRow(table, conversationId, key.message(sent.seq)),
    readMeta(table, conversationId),
  ]);
  return { message: StoredMessage.parse(row), meta: meta! };
}

/** @throws NotFound if there is none, or it is somebody else's: the two are not told apart. */
export async function readOwnMeta(table: Table, conversationId: string, user: string): Promise<Meta> {
  const meta = await readMeta(table, conversationId);
  if (meta?.owner !== user) throw notFound(conversationId);
  return meta;
}

const notFound = (id: string) => new NotFound(`You have no conversation ${id}.`);

const titleOf = (text = ''): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length <= titleCharacters ? line : `${line.slice(0, titleCharacters - 1)}…`;
};
