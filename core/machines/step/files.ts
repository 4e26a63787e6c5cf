import { setTimeout as sleep } from 'node:timers/promises';
import { type FilePart, filesOf } from '../../base/content/parts';
import { clip, wellFormed } from '../../base/text/clip';
import { NotFound } from '../../base/text/errors';
import type { Agent } from '../../conversations/agent/agent';
import type { KeptFiles, MadeFile, Reading } from '../../conversations/agent/model';
import { asString } from '../../conversations/decisions/quoted';
import { placeOf } from '../../conversations/decisions/transcript';
import { beginReading, endReading, noteRefusal, refusalBy } from '../../conversations/files/readings';
import { mostFiles, readOpenFile } from '../../conversations/files/references';
import { filePart, readFileRow } from '../../conversations/files/stored-file';
import { announcedAs, storeFile } from '../../conversations/files/upload';
import type { StoredMessage } from '../../conversations/rows/rows';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta } from '../../conversations/store/table';
import { superseded } from './await-reply';
import { type BegunStep, isScheduled, type Stage, type Step, type ToldFile } from './step';

// The files of a reply are stored before its step is committed, as files of the conversation's owner that nothing refers to yet. The commit
// refers to them. If it never comes, they are deleted after a day.

/** Keeps the files of a reply, and tells people of those that the model has not read whole. */
export const files: Stage = {
  async before(step) {
    // An earlier attempt could not store its files: no model is paid before the store answers.
    if (step.draft.needsStore && !isScheduled(step)) await step.loop.files?.find('files/none');
    return undefined;
  },
  async after(step, received) {
    const { files, notes } = await keptFiles(step, received.reply.files);
    received.kept = { files, notes: [...notes, ...linesAbout(received.aboutFiles, step)] };
    return undefined;
  },
};

/** Returns what reads the files of a step's request; undefined if the deployment stores none. */
export const readerOf = ({ loop: { table, files }, at: { conversationId }, meta: { owner } }: BegunStep) =>
  files &&
  (async ({ id, size }: FilePart, firstBytes?: number) => {
    const row = await readOpenFile(table, { owner, conversationId }, id);
    // A result may say another size than its file has. What was planned by it does not hold.
    if (row.size !== size) throw new NotFound(`The file ${id} has ${row.size} bytes, and not ${size}.`);
    return files.read(row.key, firstBytes);
  });

/** Returns what notes how files are read, and what its reply tells people of them. */
export function readingOf({ loop, at, draft, meta: { owner } }: BegunStep, agent: Agent) {
  const { table, model, now } = loop;
  const told = new Map<string, Omit<ToldFile, 'isNew'>>();
  const found = new Set<string>();
  const reader = { step: `${at.conversationId}#${draft.seq}`, writer: draft.writer };
  const { maker } = model.about(agent);
  const reading: Reading = {
    async begin({ id }) {
      const isRead = await beginReading(table, { owner, id }, reader, now());
      if (!isRead) found.add(id);
      return isRead;
    },
    end: ({ id }) => endReading(table, { owner, id }, reader),
    async refusal({ id }) {
      const row = await readFileRow(table, owner, id);
      const refusal = row && refusalBy(row, maker, now());
      // An attempt of this step that has ended has told nobody.
      if (refusal?.step === reader.step) found.add(id);
      return refusal?.why;
    },
    async refused({ id }, why) {
      found.add(id);
      await noteRefusal(table, { owner, id }, { maker, why, step: reader.step }, now());
    },
    tell(file, about) {
      told.set(file.id, { file, ...about });
    },
  };
  const aboutFiles = () => [...told.values()].map((about) => ({ ...about, isNew: found.has(about.file.id) }));
  return { reading, aboutFiles };
}

/**
 * Stores the files of a reply. The reply is paid, so while the store does not answer, this waits for it as long as the function has time.
 *
 * @returns words about a file that cannot be kept.
 * @throws Throttled if the store has not answered in time.
 * @throws Superseded if another attempt has taken over the step, or it was cut off.
 */
async function keptFiles(step: Step, made: readonly MadeFile[] = []): Promise<KeptFiles> {
  const { loop, meta } = step;
  const { files: store, fileLimits: most } = loop;
  const kept: KeptFiles = { files: [], notes: [] };
  const note = ({ filename }: MadeFile, why: string) =>
    kept.notes.push(`[The file ${filename ? asString(nameOf(filename)) : 'of this reply'} could not be kept: ${why}]`);
  for (const one of made.slice(0, mostFiles)) {
    if ('problem' in one) note(one, one.problem);
    else if (!store || !most) note(one, 'This deployment stores no files.');
    else {
      const { bytes, mediaType, filename } = one;
      const file = announcedAs(mediaType, bytes);
      const keep = () => storeFile({ table: loop.table, store }, meta.owner, file, most, loop.now());
      const row = await patiently(step, keep).catch((error: Error) => {
        if (error.name !== 'LimitReached' && error.name !== 'InvalidInput') throw error;
        note(one, error.message);
      });
      if (row) kept.files.push(filePart({ ...row, mediaType }, filename && nameOf(filename)));
    }
  }
  if (made.length > mostFiles)
    kept.notes.push(`[${made.length - mostFiles} more files were not kept: a reply has at most ${mostFiles}.]`);
  return kept;
}

/** Models and their programs choose the names. */
const nameOf = (filename: string): string => clip(wellFormed(filename), { characters: 255 });

const [firstPauseMs, longestPauseMs] = [200, 5_000];
const passing: readonly string[] = ['Throttled', 'ConversationBusy'];

async function patiently<Stored>(step: Step, keep: () => Promise<Stored>): Promise<Stored> {
  const { loop, at, draft } = step;
  const { table, deadline } = loop;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await keep();
    } catch (error) {
      if (!passing.includes((error as Error).name)) throw error;
      await sleep(pauseMs, undefined, { signal: deadline }).catch(() => undefined);
      if (deadline.aborted) {
        await noteStore(step).catch(() => undefined);
        throw error;
      }
      const meta = await readMeta(table, at.conversationId).catch(() => undefined);
      if (meta && meta.run?.draft?.writer !== draft.writer) throw superseded();
    }
  }
}

/** Notes that the step needs the store, so that its next attempt pays no model before the store answers. */
const noteStore = ({ loop, at, draft }: Step): Promise<void> =>
  changeConversation<void>(loop.table, at.conversationId, (meta) => {
    const { run } = meta;
    if (run?.draft?.writer !== draft.writer) return { answer: undefined };
    return { meta: { ...meta, run: { ...run, draft: { ...run.draft, needsStore: true } } }, answer: undefined };
  });

/** Returns a line for people about each file that a step has not read whole: of those that came since the reply before, and what is new. */
function linesAbout(files: readonly ToldFile[], { log: { messages }, draft: { seq } }: Step): string[] {
  const isReply = ({ role, status }: StoredMessage) => role === 'assistant' && status === 'complete';
  const last = messages.findLast((message) => message.seq < seq && isReply(message))?.seq ?? 0;
  const sent = messages.filter((message) => message.role === 'user' && placeOf(message) > last);
  const ids = sent.flatMap(filesOf).map(({ id }) => id);
  return files
    .filter(({ file, isNew }) => isNew || ids.includes(file.id))
    .map(({ file: { id, filename }, isRead, words }) => {
      const name = filename ? asString(filename) : id;
      return isRead ? `[About the file ${name}: ${words}.]` : `[The file ${name} was left out: ${words}.]`;
    });
}
