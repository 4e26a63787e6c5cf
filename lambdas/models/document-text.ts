import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mostDocumentCharacters } from '../../core/base/models/file-kinds';
import { JobEnded, workerJob } from '../../runtime/worker-job';
import type { DocumentToRead, ReadDocument } from './read-document';

/** What a document says, or why it cannot be read. */
export type DocumentText = ReadDocument;

/** Reads the text of a document. The id of a file names its content, so a result holds for good. */
export type ReadText = (id: string, kind: DocumentToRead['kind'], bytes: Uint8Array) => Promise<DocumentText>;

interface Bounds {
  /** The file of the thread’s code: `read-document.ts`, bundled. */
  file: string;
  timeoutMs?: number;
  /** Of the thread’s objects. */
  heapMb?: number;
  /** By which the whole process may grow. The buffers into which a compressed stream is unpacked are not objects of the heap. */
  growthMb?: number;
}

/** So many documents of a warm function are not read again for the next step. */
const mostKept = 20;
const mostBusyMs = 60_000;

/**
 * Reads documents in a thread with a deadline and bounds of memory, one at a time. A function without rights would isolate them better, but
 * could take 6 MB at most, or would need the right to read everybody’s files. The thread gets the bytes, and no environment.
 */
export function documentReader({ file, timeoutMs = 20_000, heapMb = 128, growthMb = 200 }: Bounds): ReadText {
  const readInThread = workerJob<DocumentToRead, DocumentText>({
    file,
    name: 'read_document',
    heapMiB: heapMb,
    youngMiB: 32,
    growthMiB: growthMb,
  });
  const known = new Map<string, DocumentText>();
  let last: Promise<unknown> = Promise.resolve();
  /** Since when there has always been a document to read. */
  let busySince: number | undefined;
  let waiting = 0;
  return (id, kind, bytes) => {
    busySince = waiting === 0 ? performance.now() : busySince;
    waiting += 1;
    const turn = last.then(async () => {
      const key = `${kind} ${id}`;
      const found = known.get(key);
      if (found) return found;
      // A step has time for some of them, and the next one begins with what is known by then.
      if (performance.now() - busySince! > mostBusyMs) return { problem: tooSlow };
      // A copy: otherwise the thread would get the bytes of whatever shares the buffer.
      const document = { kind, bytes: new Uint8Array(bytes), characters: mostDocumentCharacters };
      const made = await readInThread(document, timeoutMs).catch(problemOf);
      // What took too much may be due to what else the process did. What took too long is not tried again: each step would wait for it.
      if (!('problem' in made) || made.problem !== tooLarge) known.set(key, made);
      const [oldest] = known.keys();
      if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
      return made;
    });
    last = turn
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
    return turn;
  };
}

/** @returns what is wrong with the document, whatever it has done to its thread. */
function problemOf(error: Error): DocumentText {
  if (!(error instanceof JobEnded)) return { problem: damaged };
  return { problem: error.reason === 'deadline' ? tooSlow : tooLarge };
}

const damaged = 'it is damaged';
const tooSlow = 'it takes too long to read';
const tooLarge = 'it is too large to read when it is unpacked';

/** The file that `infra/bundling/bundle.ts` puts beside CallModel’s own. */
const bundled = join(__dirname, 'read-document.js');
const cannot: ReadText = async () => ({ problem: 'this function was bundled without the code that reads it' });
/** The documents of the deployed function. */
export const readText: ReadText = existsSync(bundled) ? documentReader({ file: bundled }) : cannot;
