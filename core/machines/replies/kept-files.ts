import { setTimeout as sleep } from 'node:timers/promises';
import { clip, wellFormed } from '../../base/text/clip';
import type { KeptFiles, MadeFile } from '../../conversations/agent/model';
import { asString } from '../../conversations/decisions/quoted';
import { mostFiles } from '../../conversations/files/references';
import { filePart } from '../../conversations/files/stored-file';
import { announcedAs, storeFile } from '../../conversations/files/upload';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta } from '../../conversations/store/table';
import type { Step } from '../step/step';
import { superseded } from './await-reply';

// The files of a reply are stored before its step is committed, as files of the conversation's owner that nothing refers to yet. The commit
// refers to them. If it never comes, they are deleted after a day.

/**
 * Stores the files of a reply. The reply is paid, so while the store does not answer, this waits for it as long as the function has time.
 *
 * @returns words about a file that cannot be kept.
 * @throws Throttled if the store has not answered in time.
 * @throws Superseded if another attempt has taken over the step, or it was cut off.
 */
export async function keptFiles(step: Step, made: readonly MadeFile[] = []): Promise<KeptFiles> {
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

/** Asks whether the store answers, for a step that could not store the files of an earlier reply. @throws Throttled */
export async function checkStore({ loop, draft }: Step): Promise<void> {
  if (draft.needsStore) await loop.files?.find('files/none');
}
