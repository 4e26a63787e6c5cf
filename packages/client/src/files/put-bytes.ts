import type { UserFile } from '../api-types';
import { RequestFailed } from '../problem';

interface Sending {
  signal?: AbortSignal;
  onProgress?(sent: number, total: number): void;
}

/** Sends the bytes to an address of the store, which tells in a page how far it is. @throws RequestFailed. */
export async function putBytes(
  { url, headers }: NonNullable<UserFile['upload']>,
  file: Blob,
  { signal, onProgress }: Sending,
): Promise<void> {
  const status =
    typeof XMLHttpRequest === 'undefined'
      ? await fetched(url, headers, file, signal)
      : await requested(url, headers, file, { signal, onProgress });
  // An address that has expired is refused; the next attempt has another one.
  if (status === 403) throw new RequestFailed(503, 'The address of the upload has expired.');
  if (status >= 400) throw new RequestFailed(status, `The file was not stored: status ${status}.`);
}

async function fetched(url: string, headers: Record<string, string>, body: Blob, signal?: AbortSignal) {
  try {
    const { status } = await fetch(url, { method: 'PUT', headers, body, signal });
    return status;
  } catch (error) {
    if (signal?.aborted) throw signal.reason ?? error;
    throw new RequestFailed(0, 'The file’s bytes did not arrive.');
  }
}

/** `fetch` does not tell how much of a body is sent. */
function requested(url: string, headers: Record<string, string>, body: Blob, { signal, onProgress }: Sending) {
  return new Promise<number>((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    const ended = () => signal?.removeEventListener('abort', abort);
    request.open('PUT', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    request.onload = () => {
      ended();
      resolve(request.status);
    };
    request.onerror = () => {
      ended();
      reject(new RequestFailed(0, 'The file’s bytes did not arrive.'));
    };
    request.onabort = () => {
      ended();
      reject(signal?.reason ?? new Error('aborted'));
    };
    signal?.addEventListener('abort', abort);
    request.send(body);
    if (signal?.aborted) abort();
  });
}
