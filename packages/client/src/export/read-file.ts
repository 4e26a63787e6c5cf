import { newPauses, pause } from '../again';
import type { Api } from '../api';
import type { FilePart } from '../api-types';
import { RequestFailed } from '../problem';

interface FileToRead {
  api: Pick<Api, 'file'>;
  conversationId: string;
  file: Pick<FilePart, 'id' | 'size' | 'filename'>;
  signal: AbortSignal;
}

/** Attempts without a byte in between. */
const attempts = 4;
/** A store that sends nothing for so long has died. */
const stallMs = 60_000;

/**
 * Reads the bytes of a file piece by piece, so no more than a piece is in memory. After a broken connection or with an expired address,
 * it continues where it was.
 *
 * @throws RequestFailed if the file is deleted or cannot be read, and the signal's reason after an abort.
 */
export async function* readFile({ api, conversationId, file, signal }: FileToRead): AsyncGenerator<Uint8Array> {
  let at = 0;
  let failures = 0;
  let pauses = newPauses();
  for (;;) {
    try {
      const { url } = await api.file(conversationId, file.id, 'attachment', file.filename);
      for await (const bytes of piecesOf(url, at, signal)) {
        at += bytes.length;
        failures = 0;
        pauses = newPauses();
        yield bytes;
      }
      if (at >= file.size) return;
      throw new RequestFailed(0, 'The connection broke.');
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      failures += 1;
      const mayPass = error instanceof RequestFailed && error.passing;
      if (!mayPass || failures >= attempts) throw error;
      await pause(pauses.next(error), signal);
    }
  }
}

async function* piecesOf(url: string, from: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // React Native has no `AbortSignal.any`.
  const stop = new AbortController();
  const abort = () => stop.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const inTime = <Value>(work: Promise<Value>) => {
    const late = setTimeout(() => stop.abort(), stallMs);
    return work.finally(() => clearTimeout(late));
  };
  const broken = () => new RequestFailed(0, 'The file’s bytes did not arrive.');
  try {
    const headers = from > 0 ? { range: `bytes=${from}-` } : undefined;
    const answer = await inTime(fetch(url, { headers, signal: stop.signal })).catch(() => Promise.reject(broken()));
    // An address that has expired is refused; the next attempt has another one.
    if (answer.status === 403) throw new RequestFailed(503, 'The address of the file has expired.');
    if (!answer.ok || !answer.body)
      throw new RequestFailed(answer.status, `The file was not read: status ${answer.status}.`);
    const reader = answer.body.getReader();
    // A store that does not know ranges sends all of it again.
    let skipped = answer.status === 206 ? from : 0;
    for (;;) {
      const { done, value } = await inTime(reader.read()).catch(() => Promise.reject(broken()));
      if (done) return;
      const fresh = value.subarray(Math.min(value.length, from - skipped));
      skipped += value.length - fresh.length;
      if (fresh.length > 0) yield fresh;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    stop.abort();
  }
}
