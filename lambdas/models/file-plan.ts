import { filesOfItem, type Item } from '../../core/base/content/items';
import type { FilePart, GuardedFile } from '../../core/base/content/parts';
import { fileKind } from '../../core/base/models/file-kinds';
import type { TakenKind } from '../../core/base/models/models';
import type { AboutFile } from '../../core/conversations/agent/model';
import { noLongerShown, notShown } from '../../core/conversations/decisions/file-line';

/** What a request of an API may have of files. */
export interface MediaLimits {
  /** The number of pictures and of documents. */
  images: number;
  pdfs: number;
  /** The pages of all documents. Of a document that does not fit, the model gets the text. */
  pages: number;
  /** The bytes of a picture, of a document, and of all together. */
  imageBytes: number;
  pdfBytes: number;
  bytes: number;
}

/** A document that is given as text is read whole. */
const documentBytes = 15_000_000;

/** What is told of a file instead of sending it. */
export interface Told {
  words: string;
  /** For people. Absent if it is shown whole, or has been shown before. */
  about?: AboutFile;
}

/** What becomes of a file: it is sent, its text is told, or there are only words about it. */
export type Plan = { as: TakenKind | 'text' } | Told;

export const unseen = (file: Pick<FilePart, 'id'>, why: string): Told => ({
  words: notShown(file, why),
  about: { isRead: false, words: why },
});

/** Decides from the files’ types and sizes, before any is read. The key is the number of the item, and the file's place in it. */
export function planFiles(items: readonly Item[], takes: readonly TakenKind[], limits: MediaLimits): Map<string, Plan> {
  const plans = new Map<string, Plan>();
  const groups: Group[] = [];
  for (const [index, item] of items.entries()) {
    const group: Group = [];
    for (const [place, file] of filesOfItem(item).entries()) {
      const as = planOf(file, takes, limits);
      plans.set(`${index} ${place}`, as);
      if ('as' in as && as.as !== 'text') group.push({ at: `${index} ${place}`, kind: as.as, file });
    }
    if (group.length > 0) groups.push(group);
  }
  const kept = latestThatFit(groups, limits);
  for (const group of groups) {
    if (!kept.includes(group)) for (const { at, file } of group) plans.set(at, { words: noLongerShown(file) });
    else
      for (const [place, { at, file }] of group.entries())
        if (loadOf(group.slice(0, place + 1), limits) > 1)
          plans.set(at, unseen(file, 'the message has more files than the model takes'));
  }
  return plans;
}

function planOf(file: GuardedFile, takes: readonly TakenKind[], limits: MediaLimits): Plan {
  const { mediaType, size, guarded, from } = file;
  if (guarded?.text !== undefined) return { as: 'text' };
  const not = (why: string): Plan => unseen(file, why);
  switch (fileKind(mediaType)) {
    case 'image':
      if (guarded?.textOnly) return not('a guard withholds pictures');
      if (!takes.includes('image')) return not('this model takes no pictures');
      return size > limits.imageBytes ? not(`a picture may have ${limits.imageBytes} bytes`) : { as: 'image' };
    case 'pdf':
      // What is read on is words.
      if (takes.includes('pdf') && size <= limits.pdfBytes && !guarded?.textOnly && from === undefined)
        return { as: 'pdf' };
      return size > documentBytes ? not(`a document may have ${documentBytes} bytes`) : { as: 'text' };
    case 'office':
    case 'mail':
      return size > documentBytes ? not(`a document may have ${documentBytes} bytes`) : { as: 'text' };
    case 'text':
    case 'html':
      return { as: 'text' };
    default:
      return not('files of this type cannot be read');
  }
}

/** The media of one item. */
type Group = { at: string; kind: TakenKind; file: FilePart }[];

/** Returns which part of the limits is used. More than 1 does not fit. */
function loadOf(files: Group, { images, pdfs, bytes }: MediaLimits): number {
  const numberOf = (kind: TakenKind) => files.filter((one) => one.kind === kind).length;
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  return Math.max(numberOf('image') / images, numberOf('pdf') / pdfs, size / bytes);
}

/**
 * Returns the latest groups that fit. Where a group does not fit any more, so many of the oldest go that half of the room is free, so that the
 * requests after it begin alike. The latest one stays.
 */
function latestThatFit(groups: readonly Group[], limits: MediaLimits): Group[] {
  const kept: Group[] = [];
  for (const group of groups) {
    kept.push(group);
    if (loadOf(kept.flat(), limits) <= 1) continue;
    while (kept.length > 1 && loadOf(kept.flat(), limits) > 0.5) kept.shift();
  }
  return kept;
}
