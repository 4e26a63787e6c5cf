import { makeZip } from 'client-zip';
import type { Conversation, FilePart } from '../api-types';
import type { Client } from '../client';
import { filesIn } from '../dialects/files';
import { wordsOf } from '../problem';
import { exportName } from './export-name';
import { uniqueNames } from './file-names';
import { conversationMarkdown, type ExportedFile } from './markdown';
import { readFile } from './read-file';
import { wholeConversation } from './whole-conversation';

/** How far a zip is. */
export interface ZipProgress {
  /** The files that are read, or found to be missing. */
  files: number;
  totalFiles: number;
  bytes: number;
  totalBytes: number;
}

export interface ZipOptions {
  signal?: AbortSignal;
  /** Told for each piece of a file. */
  onProgress?(progress: ZipProgress): void;
}

export interface ConversationZip {
  /** A name for it, of letters and digits. */
  filename: string;
  /** The files that will be in it, each once. */
  files: FilePart[];
  /** Its bytes. Files are read as it is read. Cancelling it ends all requests. */
  stream: ReadableStream<Uint8Array>;
}

/**
 * Makes a zip of a conversation: its files in `files`, and `conversation.md`, which links to them. A file that is deleted or cannot be
 * read is named there as missing. No file is in memory as a whole.
 *
 * @throws RequestFailed if the conversation cannot be read, and the signal's reason after an abort, which ends the stream as well.
 * @example
 * ```ts
 * import { createClient } from 'vigil-client';
 * import { zipConversation } from 'vigil-client/export';
 *
 * const client = createClient({ url: process.env.VIGIL_URL!, token: () => process.env.VIGIL_TOKEN! });
 * const { id } = await client.start({ agent: 'guide', text: 'Are you open on Monday?' });
 * const { filename, stream } = await zipConversation(client, id);
 * filename; // → 'vigil-opening-hours-2026-03-01.zip'
 * const zip = await new Response(stream).text(); // or `Readable.fromWeb(stream)` into a file
 * zip.includes('conversation.md'); // → true
 * ```
 */
export async function zipConversation(
  client: Pick<Client, 'withSignal'>,
  id: string,
  { signal, onProgress }: ZipOptions = {},
): Promise<ConversationZip> {
  signal?.throwIfAborted();
  const stop = new AbortController();
  const abort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  const ended = () => signal?.removeEventListener('abort', abort);
  const api = client.withSignal(stop.signal);
  const conversation = await wholeConversation(api, id).catch((error: unknown) => {
    ended();
    throw error;
  });
  const found = filesOf(conversation);
  const totalBytes = found.reduce((sum, { file }) => sum + file.size, 0);
  const nameOf = uniqueNames();
  const exported = new Map<string, ExportedFile>();
  let bytes = 0;
  const report = () => onProgress?.({ files: exported.size, totalFiles: found.length, bytes, totalBytes });

  async function* entries() {
    report();
    for (const { file, at } of found) {
      const pieces = readFile({ api, conversationId: id, file, signal: stop.signal });
      // Only what can be read gets an entry.
      const first = await pieces.next().catch(failed);
      if (first instanceof Error) exported.set(file.id, { problem: first.message });
      else {
        const name = nameOf(file);
        const whole: ExportedFile = { path: `files/${name}` };
        yield { name: whole.path!, lastModified: new Date(at), input: counted(first, pieces, whole) };
        exported.set(file.id, whole);
      }
      report();
    }
    // The last one, because it says what is missing.
    const text = conversationMarkdown(conversation, exported);
    yield { name: 'conversation.md', lastModified: new Date(conversation.updatedAt), input: text };
  }

  /** The pieces of a file, as far as they come: an entry that has begun cannot be taken back. */
  async function* counted(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>, whole: ExportedFile) {
    let next: IteratorResult<Uint8Array> | Error = first;
    while (!(next instanceof Error) && !next.done) {
      bytes += next.value.length;
      yield next.value;
      report();
      next = await rest.next().catch(failed);
    }
    if (next instanceof Error) whole.problem = next.message;
  }

  /** Nothing is made after an abort. */
  function failed(error: unknown): Error {
    if (stop.signal.aborted) throw stop.signal.reason;
    return new Error(wordsOf(error));
  }

  const filename = exportName(conversation, 'zip');
  const stream = endable(makeZip(entries()), (reason) => {
    ended();
    stop.abort(reason);
  });
  return { filename, files: found.map(({ file }) => file), stream };
}

/** The files of messages and results in order, each once, with the time of the first that has it. */
function filesOf({ messages, calls }: Conversation): { file: FilePart; at: string }[] {
  const found = new Map<string, { file: FilePart; at: string }>();
  const holders = [
    ...messages.map(({ parts, createdAt }) => ({ value: parts as unknown, at: createdAt })),
    ...calls.map(({ result, createdAt }) => ({ value: result, at: createdAt })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  for (const { value, at } of holders)
    for (const file of filesIn(value)) if (!found.has(file.id)) found.set(file.id, { file, at });
  return [...found.values()];
}

/** The library does not end its source when its stream is cancelled. */
function endable(stream: ReadableStream<Uint8Array>, end: (reason?: unknown) => void): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          end();
        } catch (error) {
          end(error);
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
