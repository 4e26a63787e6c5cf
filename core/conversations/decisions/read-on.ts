import { filesOfItem, type Item } from '../../base/content/items';
import { type FilePart, fileIdPattern, sourcesOfText } from '../../base/content/parts';
import type { Source } from '../../base/content/sources';
import { hasText, mostDocumentCharacters } from '../../base/models/file-kinds';
import { charactersPerToken } from '../../base/models/models';
import { clip, clipStart } from '../../base/text/clip';
import { TellModel } from '../../base/text/errors';
import { readResult } from '../agent/read-result';
import type { Tool } from '../agent/tool';
import type { CallWithResult } from './transcript';

// A model reads the beginning and the end of a long result, and the beginning of a long file. What is between is read on with `read_result`.

/** The part of a model's window that one result or file takes at once, and that all results of a step take. */
const partOfOne = 0.1;
const partOfStep = 0.3;
/** Of a file's text, as much as a function can hold of several. */
const mostOfFile = 2_000_000;
/** Of the room of a long result, its beginning and its end. The rest is for the lines about it. */
const beginning = 0.65;
const end = 0.25;

/** Returns the characters of a result that a model reads at once. @param together the number of results of its step. */
export const charactersOfResult = (contextTokens: number, together = 1): number =>
  Math.floor(contextTokens * charactersPerToken * Math.min(partOfOne, partOfStep / together));

/** Returns the characters of a file's text that a model reads at once. */
export const charactersOfFile = (contextTokens: number): number =>
  Math.min(mostDocumentCharacters, charactersOfResult(contextTokens));

/** Returns an agent’s tools with `read_result` where it can be needed. */
export const withReadResult = (tools: Tool[], items: readonly Item[], contextTokens: number): Tool[] =>
  items.some((item) => isLong(item, contextTokens)) ? [...tools, readResult] : tools;

const isLong = (item: Item, contextTokens: number): boolean =>
  (item.kind === 'result' && item.isCut === true) ||
  // A document of fewer bytes may have as much text. Its line then says only that it is cut.
  filesOfItem(item).some(({ mediaType, size }) => hasText(mediaType) && size > charactersOfFile(contextTokens));

/** What a call of `read_result` reads: the result of another call, or a file. */
export interface Reads {
  of: string;
  from: number;
  file?: FilePart;
}

/** What `read_result` can read. */
export type Readable = (id: string) => { characters: number; file?: FilePart; sources?: Source[] } | undefined;

/** Returns what can be read on: the results of calls that are done, and the files of what the model reads. */
export const readableIn =
  (calls: readonly CallWithResult[], items: readonly Item[]): Readable =>
  (id) => {
    if (fileIdPattern.test(id)) {
      const file = items.flatMap(filesOfItem).find((one) => one.id === id);
      if (!file) return undefined;
      const { guarded: _, from: __, ...part } = file;
      return { characters: mostOfFile, file: part, sources: sourcesOfText(file) };
    }
    const call = calls.find((one) => one.modelCallId === id && one.status === 'completed' && !one.reads);
    if (!call) return undefined;
    return { characters: textOfResult(call).length, sources: call.trusted ? undefined : call.sources };
  };

/** @throws TellModel if there is nothing to read there. */
export function readsOf({ id, from }: { id: string; from: number }, readable: Readable | undefined) {
  const found = readable?.(id);
  if (!found) throw new TellModel(`no result and no file "${id}" is known here. Use the id that the line at it names.`);
  const { characters, file, sources } = found;
  if (from > characters)
    throw new TellModel(`from: "${id}" has ${file ? 'at most ' : ''}${characters} characters that can be read.`);
  const reads: Reads = { of: id, from, ...(file && { file }) };
  return { reads, sources, result: `What follows in ${id}, from character ${from}.` };
}

/** Returns a result as a text: itself, or as JSON. */
export function textOfResult({ wholeResult, result }: Pick<CallWithResult, 'wholeResult' | 'result'>): string {
  const whole = wholeResult ?? result;
  return typeof whole === 'string' ? whole : (JSON.stringify(whole) ?? '');
}

/** The line at a part of a text: how to read what follows. */
export const readOnWith = (id: string, from: number): string =>
  `To read on, call ${readResult.name} with id "${id}" and from ${from}.`;

/**
 * Returns the beginning and the end of a long text, with a line between them; a text that has room as it is.
 *
 * @param asTold returns words as they are told: a stranger's as a quotation, which is longer.
 */
export function shortenedResult(
  id: string,
  text: string,
  most: number,
  asTold: (words: string) => string,
): { text: string; isCut: boolean } {
  // Nothing is told in fewer characters.
  const whole = text.length <= most ? asTold(text) : undefined;
  if (whole !== undefined && whole.length <= most) return { text: whole, isCut: false };
  const first = within(most * beginning, asTold, (room) => clip(text, { characters: room }));
  const last = within(most * end, asTold, (room) => clipStart(text, Math.min(room, text.length - first.length)));
  const left = `Characters ${first.length + 1} to ${text.length - last.length} of ${text.length} are left out here.`;
  return {
    text: [asTold(first), `[${left} ${readOnWith(id, first.length + 1)}]`, asTold(last)].join('\n'),
    isCut: true,
  };
}

/** Returns what a call of `read_result` reads of a text. */
export function readFrom(
  { of: id, from }: Reads,
  text: string,
  most: number,
  asTold: (words: string) => string,
): { text: string; isCut: boolean } {
  const rest = text.slice(from - 1);
  const words = within(most * (beginning + end), asTold, (room) => clip(rest, { characters: room }));
  const until = from - 1 + words.length;
  const isCut = until < text.length;
  const place = `Characters ${from} to ${until} of ${text.length}.`;
  return { text: `${asTold(words)}\n[${place}${isCut ? ` ${readOnWith(id, until + 1)}` : ''}]`, isCut };
}

/** Returns as many words as are told within the room: characters that cannot be seen are written out, each as six. */
function within(room: number, asTold: (words: string) => string, cut: (room: number) => string): string {
  const words = cut(Math.floor(room));
  const heading = asTold('').length;
  const length = asTold(words).length - heading;
  return length <= room ? words : cut(Math.floor((room * words.length) / length));
}
