import { createHash } from 'node:crypto';
import { NotFound } from '../../core/base/text/errors';
import type { FileStore } from '../../core/conversations/files/file-store';

/** A store of files in memory. Its addresses name the key, and take nothing: `put` does. */
export function memoryFileStore(): FileStore & { objects: Map<string, Uint8Array> } {
  const objects = new Map<string, Uint8Array>();
  return {
    objects,
    uploadAddress: async ({ key, size, mediaType, sha256 }) => ({
      url: `memory:${key}`,
      headers: { 'content-length': String(size), 'content-type': mediaType, 'x-amz-checksum-sha256': sha256 },
    }),
    downloadAddress: async ({ key, filename }, { inline }) =>
      `memory:${key}?${new URLSearchParams({ as: inline ? 'inline' : 'attachment', ...(filename && { filename }) })}`,
    find: async (key) => {
      const bytes = objects.get(key);
      return bytes && { size: bytes.byteLength, sha256: digestOf(bytes) };
    },
    read: async (key, firstBytes) => {
      const bytes = objects.get(key);
      if (!bytes) throw new NotFound(`There is no object ${key}.`);
      return bytes.subarray(0, firstBytes);
    },
    write: async ({ key }, bytes) => void objects.set(key, bytes),
    delete: async (key) => void objects.delete(key),
  };
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');
