import { setTimeout as sleep } from 'node:timers/promises';
import type { MadeFile } from '../../core/conversations/agent/model';
import type { RemoteFile } from './api';
import { fileOf } from './made-file';
import { statusOf } from './model-errors';

/** All files of a reply together, because CallModel has them in its memory until they are stored. */
const mostBytes = 50_000_000;
const pausesMs = [500, 2_000];
/** For all of them. */
const longestMs = 60_000;

interface Fetching {
  /** The bytes that a file may have; undefined if none is stored. */
  most: number | undefined;
  /** The number of files that are kept. */
  room: number;
  /** @throws what the SDK throws. */
  open(path: string, signal: AbortSignal): Promise<Response>;
  signal: AbortSignal;
}

/**
 * Fetches the files of a reply from its provider, each once. The reply is paid, so a file that cannot be fetched, or not in time, becomes words
 * about it.
 */
export async function fetchedFiles(
  remote: readonly RemoteFile[],
  { signal: given, ...fetching }: Fetching,
): Promise<MadeFile[]> {
  if (remote.length === 0) return [];
  const { most, room } = fetching;
  const signal = AbortSignal.any([given, AbortSignal.timeout(longestMs)]);
  const made: MadeFile[] = [];
  let left = mostBytes;
  for (const one of new Map(remote.map((file) => [file.path, file])).values()) {
    const { filename } = one;
    const problem = (words: string) => made.push({ ...(filename && { filename }), problem: words });
    if (most === undefined) problem('This deployment stores no files.');
    // What is too many is named, and not fetched.
    else if (made.length >= room) problem('The reply has too many files.');
    else {
      const atMost = Math.min(most, left);
      const bytes = await fetched(one, atMost, { ...fetching, signal }).catch((error: Error) => {
        problem(
          statusOf(error) === 404 ? "The model's provider has deleted it." : "The model's provider did not give it.",
        );
      });
      if (bytes === 'too large') problem(`It has more than the ${atMost} bytes that are left for it.`);
      else if (bytes) {
        left -= bytes.byteLength;
        made.push(fileOf(bytes, filename));
      }
    }
  }
  return made;
}

async function fetched(
  { path }: RemoteFile,
  most: number,
  { open, signal }: Fetching,
): Promise<Uint8Array | 'too large'> {
  for (const pauseMs of [...pausesMs, undefined])
    try {
      return await bytesIn(await open(path, signal), most);
    } catch (error) {
      const status = statusOf(error) ?? 500;
      const mayPass = status >= 500 || status === 408 || status === 409 || status === 429;
      if (pauseMs === undefined || signal.aborted || !mayPass) throw error;
      await sleep(pauseMs, undefined, { signal });
    }
  return 'too large';
}

async function bytesIn({ body }: Response, most: number): Promise<Uint8Array | 'too large'> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    // Leaving the loop closes the connection.
    if (size > most) return 'too large';
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
