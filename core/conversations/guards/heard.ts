import type { FilePart, GuardedFile } from '../../base/content/parts';
import { joined } from '../../base/content/sources';
import type { GuardVerdict } from '../../base/schemas/guard-verdict';
import { sourcesOfEdit } from '../calls/approved';
import type { CallWithResult } from '../decisions/transcript';
import type { HeardFile, StoredMessage } from '../rows/rows';

/** A message as models read it: with the words that have replaced its own. One that is withheld is a note. */
export function messageAsHeard(message: StoredMessage): StoredMessage {
  const { heard, heardFiles, parts } = message;
  if (heard === undefined && heardFiles === undefined) return message;
  const role = isWithheld(message.guards, 'input') ? 'system' : message.role;
  const named = parts?.map((part) => (part.type === 'file' ? fileAsHeard(part, heardFiles) : part));
  return { ...message, role, text: heard ?? message.text, ...(named && { parts: named }) };
}

/** A call as models read it: with the words that have replaced its result or error. */
export function callAsHeard(call: CallWithResult): CallWithResult {
  const { wholeResult: _, edited: __, ...rest } = call;
  const text = call.heard?.of === call.status ? call.heard.text : undefined;
  if (text === undefined) return call;
  // The text that replaces a result has the arguments that an approver changed, too, so it has the sources of both.
  const sources = call.edited ? joined(call.sources, sourcesOfEdit(call)) : call.sources;
  return { ...rest, sources, ...(call.status === 'completed' ? { result: text } : { error: text }) };
}

/** A file as models read it. The name of one that is withheld is not told. */
export function fileAsHeard(file: FilePart, heard: readonly HeardFile[] | undefined): GuardedFile {
  const found = heard?.find(({ id }) => id === file.id);
  if (!found) return file;
  const { filename: own, ...rest } = file;
  const filename = found.withheld === undefined ? (found.filename ?? own) : undefined;
  return {
    ...rest,
    ...(filename && { filename }),
    ...(found.text !== undefined && { guarded: { text: found.text } }),
  };
}

/** Whether a guard has refused the words at a place, or a file. */
export const isWithheld = (
  guards: readonly GuardVerdict[] | undefined,
  at: GuardVerdict['at'],
  file?: string,
): boolean => guards?.some((one) => one.at === at && one.file === file && one.verdict === 'refused') ?? false;
