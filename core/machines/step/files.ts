import { type FilePart, filesOf } from '../../base/content/parts';
import { NotFound } from '../../base/text/errors';
import type { Agent } from '../../conversations/agent/agent';
import type { Reading } from '../../conversations/agent/model';
import { asString } from '../../conversations/decisions/quoted';
import { placeOf } from '../../conversations/decisions/transcript';
import { beginReading, endReading, noteRefusal, refusalBy } from '../../conversations/files/readings';
import { readOpenFile } from '../../conversations/files/references';
import { readFileRow } from '../../conversations/files/stored-file';
import type { StoredMessage } from '../../conversations/rows/rows';
import { checkStore, keptFiles } from '../replies/kept-files';
import { type BegunStep, isScheduled, type Stage, type Step, type ToldFile } from './step';

/** Keeps the files of a reply, and tells people of those that the model has not read whole. */
export const files: Stage = {
  async before(step) {
    if (!isScheduled(step)) await checkStore(step);
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
