/** Where a file's bytes are, and what they must be. */
export interface StoredFile {
  /** The object's key. */
  key: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  /** In base64. */
  sha256: string;
}

/** An address for one upload, and the headers that the upload must have: it is signed for exactly these bytes. */
interface UploadAddress {
  url: string;
  headers: Record<string, string>;
}

/**
 * The bytes of files: objects of an S3 bucket. Only code calls it; people and models get ids, and addresses that expire.
 *
 * @throws Throttled if the store does not answer.
 */
export interface FileStore {
  /** Signs a PUT of exactly these bytes with this media type. Nothing is stored yet. */
  uploadAddress(file: StoredFile, expiresInSeconds: number): Promise<UploadAddress>;
  /** Signs a GET that a browser shows (`inline`) or saves under the name. */
  downloadAddress(
    file: Pick<StoredFile, 'key' | 'mediaType'> & { filename?: string },
    options: { inline: boolean; expiresInSeconds: number },
  ): Promise<string>;
  /** Returns what is stored under the key; undefined for nothing. */
  find(key: string): Promise<Pick<StoredFile, 'size' | 'sha256'> | undefined>;
  /** Reads the object, or its first bytes. @throws NotFound if nothing is stored under the key. */
  read(key: string, firstBytes?: number): Promise<Uint8Array>;
  write(file: StoredFile, bytes: Uint8Array): Promise<void>;
  /** Deletes the object. Nothing happens if there is none. */
  delete(key: string): Promise<void>;
}
