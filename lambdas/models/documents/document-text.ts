import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { mostDocumentCharacters } from '../../../core/base/models/file-kinds';
import { childJob, JobEnded } from '../../../runtime/child-job';
import type { DocumentToRead, ReadDocument } from './read-document';

/** What a document says, or why it cannot be read. */
export type DocumentText = ReadDocument;

/** Notes that a document is about to be read, and that its reader has survived. */
interface Notes {
  begin(): Promise<boolean>;
  end(): Promise<void>;
}

/** Reads the text of a document. The id of a file names its content, so a result holds for good. */
export type ReadText = (
  id: string,
  kind: DocumentToRead['kind'],
  bytes: Uint8Array,
  notes?: Notes,
  /** The characters that are needed, from the beginning, and whether pages without text are wanted as pictures. */
  needed?: Partial<Pick<DocumentToRead, 'characters' | 'pictured'>>,
) => Promise<DocumentText>;

interface Bounds {
  /** The file of the job’s code: `read-document.ts`, bundled. */
  file: string;
  timeoutMs?: number;
  /** Of the job’s objects. */
  heapMb?: number;
  /** By which the job’s process may grow. The buffers into which a compressed stream is unpacked are not objects of the heap. */
  growthMb?: number;
}

/** So many documents of a warm function are not read again for the next step. */
const mostKept = 20;
const mostBusyMs = 60_000;

/**
 * Reads documents in a child process with a deadline and bounds of memory, one at a time. A function without rights would isolate them better,
 * but could take 6 MB at most, or would need the right to read everybody’s files. The child gets the bytes, and no environment.
 */
export function documentReader({ file, timeoutMs = 20_000, heapMb = 128, growthMb = 200 }: Bounds): ReadText {
  const readInChild = childJob<DocumentToRead, DocumentText>({
    file,
    name: 'read_document',
    heapMiB: heapMb,
    youngMiB: 32,
    growthMiB: growthMb,
  });
  async function readNoted(document: DocumentToRead, notes?: Notes): Promise<DocumentText> {
    if (notes && !(await notes.begin())) return { problem: endedTwice };
    const made = await readInChild(document, timeoutMs).catch((error: Error) => error);
    // What has ended its reader stays noted. A note that is left by mistake is one of two.
    if (!(made instanceof JobEnded)) await notes?.end().catch(() => undefined);
    return made instanceof Error ? { problem: problemOf(made) } : made;
  }
  const known = new Map<string, DocumentText>();
  let last: Promise<unknown> = Promise.resolve();
  /** Since when there has always been a document to read. */
  let busySince: number | undefined;
  let waiting = 0;
  return (id, kind, bytes, notes, { characters = mostDocumentCharacters, pictured = false } = {}) => {
    busySince = waiting === 0 ? performance.now() : busySince;
    waiting += 1;
    const turn = last.then(async () => {
      const key = `${kind} ${id} ${characters} ${pictured}`;
      const found = known.get(key);
      if (found) return found;
      // A step has time for some of them, and the next one begins with what is known by then.
      if (performance.now() - busySince! > mostBusyMs) return { problem: tooSlow };
      const document = { kind, bytes, characters, pictured };
      const made = await readNoted(document, notes);
      // What took too much or too long is not tried again: each step would wait for it.
      known.set(key, made);
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

/** @returns what is wrong with the document, whatever it has done to its reader. */
function problemOf(error: Error): string {
  if (!(error instanceof JobEnded)) return damaged;
  return error.reason === 'deadline' ? tooSlow : tooLarge;
}

const damaged = 'it is damaged';
const tooSlow = 'it takes too long to read';
const endedTwice = 'reading it has ended its reader twice, so it is left out';
const tooLarge = 'it is too large to read when it is unpacked';

/** The file that `infra/bundling/bundle.ts` puts beside CallModel’s own. */
const bundled = join(__dirname, 'read-document.js');
const cannot: ReadText = async () => ({ problem: 'this function was bundled without the code that reads it' });
/** The documents of the deployed function. */
export const readText: ReadText = existsSync(bundled) ? documentReader({ file: bundled }) : cannot;
