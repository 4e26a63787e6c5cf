import type { Item } from '../../base/content/items';
import { type FilePart, filePartsIn, filesOf, type GuardedFile } from '../../base/content/parts';
import type { Source } from '../../base/content/sources';
import type { Locale } from '../../base/time/time-zone';
import { sourcesOfEdit } from '../calls/approved';
import { fileAsHeard } from '../guards/heard';
import type { HeardFile, StoredCall, StoredMessage } from '../rows/rows';
import { fileLine, notShown } from './file-line';
import { asString, quoted } from './quoted';
import { charactersOfResult, type Reads, readFrom, shortenedResult, textOfResult } from './read-on';

/** A call with its full result, if that is stored in parts. */
export type CallWithResult = StoredCall & { wholeResult?: unknown };

/** The model that reads a transcript, and the message up to which it reads. */
export interface Reader {
  /** Only messages with a smaller sequence number are read. This is fixed when the step begins. */
  before: number;
  /** The maker of the model. Opaque data goes back to its own maker only. */
  maker?: string;
  /** The user's locale, for conversations from before messages had it. */
  locale?: Locale;
  /** Its window, of which a long result takes a part. Without it, results are told whole. */
  contextTokens?: number;
  /** The names of its hosted tools. It can read no data of a reply that used another one. */
  hosted?: readonly string[];
}

/**
 * Builds the conversation as the model reads it, in reading order. Every tool call has exactly one result, whatever its status;
 * servers reject a transcript otherwise.
 *
 * A summary replaces the messages that it covers. Unread messages are left out; a later step reads them.
 *
 * The transcript of the next step begins with this one, so that providers can cache it: whatever changes is a note at its place, such as
 * where the user is. Only a summary, an amended message and a call whose outcome changes later begin another one.
 */
export function transcript(messages: StoredMessage[], calls: CallWithResult[], reader: Reader): Item[] {
  const { before, contextTokens = Number.POSITIVE_INFINITY } = reader;
  const callsOfStep = new Map<string, CallWithResult[]>();
  for (const call of calls) {
    const step = `${call.runId} ${call.step}`;
    callsOfStep.set(step, [...(callsOfStep.get(step) ?? []), call]);
  }
  const summary = messages.findLast(
    ({ seq, covers, status }) => covers !== undefined && seq < before && status === 'complete',
  );
  const from = summary?.covers ?? 0;
  const read = inReadingOrder(messages)
    .filter((message) => placeOf(message) < before && message.status !== 'pending')
    .filter(({ covers }) => covers === undefined);
  const covered = read.filter((message) => placeOf(message) <= from);
  const opening =
    covered.findLast(({ locale }) => locale)?.locale ?? (read.some(({ locale }) => locale) ? {} : reader.locale);
  let told = localeWords(opening);
  const said = read.slice(covered.length).flatMap((message) => {
    const words = message.locale ? localeWords(message.locale) : told;
    const isNew = words !== told;
    told = words;
    return [...noteOf(isNew ? words : ''), ...(message.callId === undefined ? asRead(message) : [])];
  });
  const left = summary ? filesLeft(covered) : '';
  const summed = summary ? [note(`A summary of the conversation so far: ${wordsOf(summary)}${left}`)] : [];
  return [...summed, ...noteOf(localeWords(opening)), ...said];

  /** A summary may lose ids, by which tools still read the files of what it covers. The latest are told. */
  function filesLeft(of: StoredMessage[]): string {
    const files = of.flatMap((message) => (asSaid(message) as Files[]).flatMap((item) => item.files ?? []));
    const lines = [...new Map(files.map((file) => [file.id, fileLine(file)])).values()].slice(-filesTold);
    return lines.length === 0 ? '' : `\nIts files can still be read by their ids:\n${lines.join('\n')}`;
  }

  function asRead(message: StoredMessage): Item[] {
    return [...recalledNote(message.recalled), ...asSaid(message)];
  }

  function asSaid(message: StoredMessage): Item[] {
    if (message.role === 'user') return [ofUser(message)];
    if (message.role === 'system') return [note(wordsOf(message))];
    // The reply was cut off and the step was made again. The calls belong to the later message.
    if (message.status === 'cancelled') return cutOff(message.text);
    const own = (callsOfStep.get(`${message.runId} ${message.step}`) ?? []).toSorted((a, b) => a.index - b.index);
    const uses = message.hosted ?? [];
    const hasTools = uses.every(({ tool }) => reader.hosted?.includes(tool));
    const by = hasTools ? reader : { before };
    const isOwn = [message, ...own].some(({ opaque }) => opaque && opaque.maker === by.maker);
    const isKept = message.text.trim() && (own.length > 0 || message.status !== 'error');
    const text: Item[] = isKept
      ? [{ kind: 'message', by: 'assistant', text: message.text, ...opaqueOf(message, by) }]
      : [];
    return [
      ...(uses.length > 0 && !isOwn ? [hostedNote(message)] : []),
      ...text,
      ...own.map((call) => asCall(call, by)),
      ...own.map((call) => asResult(call, charactersOfResult(contextTokens, own.length))),
      ...filesNote(shownFiles(filesOf(message), message.heardFiles)),
    ];
  }

  /** Returns the result, with the files that it refers to. Its text has a line about each, as parts of JSON. */
  function asResult(call: CallWithResult, most: number): Item {
    if (call.reads && call.status === 'completed') return asReadOn(call, call.reads, most);
    const all = filesOfResult(call);
    const heard = call.heard?.of === call.status ? call.heard.files : undefined;
    const withheld = heard?.flatMap((file) => (file.withheld ? [notShown(file, file.withheld)] : [])) ?? [];
    const { files } = shownFiles(all, heard);
    const { text: told, isCut } = resultText(call, most);
    const text = [told, ...withheld].join('\n');
    return resultItem(call, text, { files, isCut });
  }

  /** What a call of `read_result` reads stands where it was called: in the row is only what and from where. */
  function asReadOn(call: CallWithResult, reads: Reads, most: number): Item {
    const { of, from, file } = reads;
    if (file) {
      const heard = [...messages.map(({ heardFiles }) => heardFiles), ...calls.map((one) => one.heard?.files)]
        .flatMap((list) => list ?? [])
        .filter(({ id }) => id === of);
      const { lines, files } = shownFiles([file], heard);
      const readOn = files.map((one) => ({ ...one, from }));
      return resultItem(call, lines.join('\n'), { files: readOn });
    }
    const original = calls.find((one) => one.modelCallId === of && one.status === 'completed');
    if (!original) return resultItem(call, 'That result is no longer there.');
    const whole = textOfResult(original);
    // A summary is made of the beginnings of long results.
    if (from > whole.length) return resultItem(call, textOfResult(call));
    const told = (words: string) => wordsOf({ ...original, text: words });
    const { text, isCut } = readFrom(reads, whole, most, told);
    return resultItem(call, text, { isCut });
  }
}

/** The files that are told with a summary. */
const filesTold = 30;

/** An item that may refer to files. */
interface Files {
  files?: GuardedFile[];
}

/** The lines about files, and those that the model gets: all that no guard has withheld. */
interface ShownFiles {
  lines: string[];
  files: GuardedFile[];
}

function shownFiles(files: FilePart[], heard: readonly HeardFile[] | undefined): ShownFiles {
  const why = (file: FilePart) => heard?.find(({ id }) => id === file.id)?.withheld;
  const lineOf = (file: GuardedFile) => [fileLine(file), ...(why(file) ? [notShown(file, why(file)!)] : [])];
  const known = files.map((file) => fileAsHeard(file, heard));
  return { lines: known.flatMap(lineOf), files: known.filter((file) => why(file) === undefined) };
}

/** Returns what the user has sent: their words, a line about each file, and the files. */
function ofUser(message: StoredMessage): Item {
  const { lines, files } = shownFiles(filesOf(message), message.heardFiles);
  const said = message.text.replace(noteMark, notANote);
  const words = isOfMember(message) ? sayingOf(message, said) : said;
  const text = [words, ...lines].filter(Boolean).join('\n');
  return { kind: 'message', by: 'user', text, ...(files.length > 0 && { files }) };
}

const isOfMember = ({ sources }: StoredMessage): boolean => sources?.includes('member') ?? false;

/**
 * Tells who speaks, if it is not the owner. The words are a JSON string, so that nothing in them looks like another person's. Code decides what
 * they may lead to: see `askedBy` of a tool.
 */
const sayingOf = ({ author, authorName }: StoredMessage, words: string): string =>
  `${asString(authorName ?? author)}, a member of this conversation who is not its owner, says:\n${asString(words)}`;

/**
 * Tells the model of the files of its own reply, and gives it those that it can see: no API takes them in a reply. They come after the results
 * of the reply's calls, which must follow the calls.
 */
function filesNote({ lines, files }: ShownFiles): Item[] {
  if (lines.length === 0) return [];
  const words = `Your reply before this has these files, which its reader sees:\n${lines.join('\n')}`;
  return [note(words, files)];
}

/** Returns the data that the reader's maker needs back. Some servers reject calls without their reasoning, even of earlier runs. */
const opaqueOf = ({ opaque }: Pick<StoredMessage | StoredCall, 'opaque'>, { maker }: Reader) =>
  opaque && opaque.maker === maker ? { opaque: opaque.data } : {};

/** A message is placed right before the reply that read it. */
export const placeOf = ({ seq, readBySeq }: StoredMessage): number => (readBySeq === undefined ? seq : readBySeq - 0.5);

/** Sorts messages as the model reads them. A queued message comes after the run during which it arrived. */
export const inReadingOrder = <Row extends StoredMessage>(messages: Row[]): Row[] =>
  messages.toSorted((a, b) => placeOf(a) - placeOf(b) || a.seq - b.seq);

/** A step's recalled note comes before its reply, in this and all later transcripts. */
export const recalledNote = (recalled: string | undefined): Item[] => noteOf(recalled ?? '');

const noteOf = (text: string): Item[] => (text ? [note(text)] : []);

/** Without a zone there is no line about it: an agent then speaks of UTC, as its tools do. */
function localeWords({ timeZone, language }: Locale = {}): string {
  const zone =
    timeZone && `The user's time zone is ${timeZone}: times that they name, and times that you tell them, are local.`;
  return [zone, language && `The user's language is ${language}.`].filter(Boolean).join(' ');
}

/** What a provider's tools have found, for a reader that cannot read the provider's own data of it. */
const hostedNote = ({ hosted, citations, hostedSources }: StoredMessage): Item =>
  note(
    `For the reply that follows, tools of the model's provider were used. ${wordsOf({
      sources: hostedSources,
      text: JSON.stringify({ used: hosted, ...(citations && { cited: citations }) }),
    })}`,
  );

const cutOff = (text: string): Item[] =>
  text.trim() ? [{ kind: 'message', by: 'assistant', text: `${text.trim()} [cut off here]` }] : [];

/** Some servers accept a system message in the first place only, so a note is a user message that says what it is. */
const note = (text: string, files: GuardedFile[] = []): Item => ({
  kind: 'message',
  by: 'user',
  text: `[A note from the system, not from the user] ${text}`,
  ...(files.length > 0 && { files }),
});
/** Only notes begin like a note. */
const noteMark = /\[\s*a\s+note\s+from\s+the\s+system/gi;
const notANote = '[The user writes: a note from the system';

/** Returns words as the model reads them: those from outside as a quotation. */
const wordsOf = ({ sources, text }: { sources?: Source[]; text: string }): string =>
  sources?.length ? quoted(sources, text) : text;

function asCall(call: CallWithResult, reader: Reader): Item {
  // A name that the model made up may contain characters that its own server rejects.
  // ASCII by then.
  const tool = call.tool.replace(/[^\w-]/g, '_').slice(0, 64) || 'unknown';
  const text = JSON.stringify(call.arguments ?? {});
  return { kind: 'call', id: call.modelCallId, tool, arguments: text, ...opaqueOf(call, reader) };
}

/** Returns the files that a call's result refers to. */
export const filesOfResult = ({ status, wholeResult, result }: CallWithResult): FilePart[] =>
  status === 'completed' ? filePartsIn(wholeResult ?? result) : [];

const resultItem = (
  { modelCallId: callId }: CallWithResult,
  text: string,
  { files = [], isCut = false }: { files?: GuardedFile[]; isCut?: boolean } = {},
): Item => ({
  kind: 'result',
  callId,
  text,
  ...(files.length > 0 && { files }),
  ...(isCut && { isCut }),
});

/** Returns a call's result as text, or a note about its status. A long one is cut. */
function resultText(call: CallWithResult, most: number): { text: string; isCut: boolean } {
  const { text, isCut = false } = outcomeText(call, most);
  const approved = wordsOf({ sources: sourcesOfEdit(call), text: JSON.stringify(call.arguments) });
  const edited = `[The approver changed the arguments. What was approved and done: ${approved}] `;
  return { text: `${call.edited ? edited : ''}${text}`, isCut };
}

function outcomeText(call: CallWithResult, most: number): { text: string; isCut?: boolean } {
  switch (call.status) {
    case 'completed': {
      const told = (text: string) => wordsOf({ ...call, text });
      const { text, isCut } = shortenedResult(call.modelCallId, textOfResult(call), most, told);
      return { text: call.undoError ? `${text} [Undoing it later failed: ${call.undoError}]` : text, isCut };
    }
    case 'failed':
    case 'unknown':
    case 'cancelled':
      return {
        text: `${{ failed: 'Error', unknown: 'Outcome unknown', cancelled: 'Cancelled' }[call.status]}: ${wordsOf({ ...call, text: call.error ?? 'no reason is known.' })}`,
      };
    case 'undone':
      return { text: 'This was done and has been undone since.' };
    default:
      return { text: 'This was not finished: the run ended before it.' };
  }
}
