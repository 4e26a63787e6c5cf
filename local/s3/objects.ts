import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, link, mkdir, open, readdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { preconditionFailed } from './s3-error';

/** What is stored about an object, besides its bytes. */
interface ObjectInfo {
  key: string;
  size: number;
  etag: string;
  /** In milliseconds since 1970. */
  modified: number;
  /** The headers of the upload that every download has: `content-type`, `x-amz-meta-…`. */
  headers: Readonly<Record<string, string>>;
  /** The checksums that the uploader gave, in base64, by their headers. */
  checksums: Readonly<Record<string, string>>;
}

/** The digests of what was received. */
export interface Digests {
  size: number;
  md5: Buffer;
  sha1: Buffer;
  sha256: Buffer;
  crc32: Buffer;
}

/** An upload that is on disk, and that nobody sees yet. */
export interface Received {
  digests: Digests;
  /** @param mustBeNew keeps an object that is there. @throws PreconditionFailed. */
  store(bucket: string, info: ObjectInfo, mustBeNew: boolean): Promise<void>;
  discard(): Promise<void>;
}

export interface StoredObject {
  info: ObjectInfo;
  /** Reads a part, both ends included. */
  read(from: number, to: number): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

/**
 * Objects as files of the state directory. A file has the bytes, then what is stored about them, then the length of
 * that. It is renamed into place when it is on disk, so a kill -9 leaves the object as it was or as it will be. Its name
 * is the digest of the key, which is therefore never a path.
 */
export interface Objects {
  receive(chunks: AsyncIterable<Buffer>): Promise<Received>;
  find(bucket: string, key: string): Promise<StoredObject | undefined>;
  remove(bucket: string, key: string): Promise<void>;
  list(bucket: string): Promise<ObjectInfo[]>;
}

const lengthBytes = 4;

export async function openObjects(stateDirectory: string): Promise<Objects> {
  const folder = join(stateDirectory, 's3');
  const incoming = join(folder, 'incoming');
  // What a killed process was receiving.
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true });
  // No bucket can have such a name.
  const folderOf = (bucket: string) => join(folder, `bucket_${bucket}`);
  const fileOf = (bucket: string, key: string) =>
    join(folderOf(bucket), createHash('sha256').update(key).digest('hex'));

  return {
    async receive(chunks) {
      const draft = join(incoming, randomUUID());
      const file = await open(draft, 'wx', 0o600);
      const discard = async () => {
        await file.close();
        await rm(draft, { force: true });
      };
      try {
        const digests = await copy(chunks, file);
        return { digests, store, discard };
      } catch (error) {
        await discard();
        throw error;
      }

      async function store(bucket: string, info: ObjectInfo, mustBeNew: boolean): Promise<void> {
        const about = Buffer.from(JSON.stringify(info));
        const length = Buffer.alloc(lengthBytes);
        length.writeUInt32BE(about.length);
        await file.write(Buffer.concat([about, length]));
        await file.sync();
        await file.close();
        await mkdir(folderOf(bucket), { recursive: true });
        const target = fileOf(bucket, info.key);
        if (mustBeNew) {
          // Unlike a rename, this fails if there is such a file.
          await link(draft, target).catch((error: NodeJS.ErrnoException) => {
            throw error.code === 'EEXIST' ? preconditionFailed() : error;
          });
          await unlink(draft);
        } else await rename(draft, target);
        await flush(folderOf(bucket));
      }
    },
    find: (bucket, key) => opened(fileOf(bucket, key)),
    async remove(bucket, key) {
      await rm(fileOf(bucket, key), { force: true });
      await flush(folderOf(bucket));
    },
    async list(bucket) {
      const names = await readdir(folderOf(bucket)).catch(() => []);
      const found = await Promise.all(
        names.map(async (name) => {
          const one = await opened(join(folderOf(bucket), name));
          await one?.close();
          return one?.info;
        }),
      );
      return found
        .filter((info) => info !== undefined)
        .sort((one, other) => Buffer.compare(Buffer.from(one.key), Buffer.from(other.key)));
    },
  };
}

async function copy(chunks: AsyncIterable<Buffer>, file: FileHandle): Promise<Digests> {
  const hashes = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') };
  let size = 0;
  let crc = 0;
  for await (const chunk of chunks) {
    for (const hash of Object.values(hashes)) hash.update(chunk);
    crc = crc32(chunk, crc);
    size += chunk.length;
    await file.writeFile(chunk);
  }
  const crcBytes = Buffer.alloc(4);
  crcBytes.writeUInt32BE(crc);
  const { md5, sha1, sha256 } = hashes;
  return { size, md5: md5.digest(), sha1: sha1.digest(), sha256: sha256.digest(), crc32: crcBytes };
}

async function opened(path: string): Promise<StoredObject | undefined> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const { size } = await file.stat();
    const length = (await part(file, size - lengthBytes, lengthBytes)).readUInt32BE();
    const about = await part(file, size - lengthBytes - length, length);
    return {
      info: JSON.parse(about.toString()) as ObjectInfo,
      read: (start, end) => file.createReadStream({ start, end, autoClose: false }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function part(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer;
}

/** Flushes a rename. Systems that cannot open a folder do not need this. */
async function flush(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close();
}
