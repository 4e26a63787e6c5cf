import fs from 'node:fs';
import path from 'node:path';
import { type DecodedRecord, decodeRecord, encodeRecord, headerSize, type JournalRecord } from './record';

/** An append-only list of records. Positions are counted over all segments and only grow. */
export interface Journal {
  /** Adds a record and returns its position. It is not on disk yet. */
  append(record: JournalRecord): number;
  /** Calls `then` once everything appended so far is on disk; before it returns where it is already. */
  afterCommit(then: () => void): void;
  /** The record at a position that an `append` gave and that has been committed. */
  read(position: number): DecodedRecord;
  /** Everything up to now is on disk. */
  committed(): Promise<void>;
  close(): Promise<void>;
}

/** A new segment is begun when the present one is this long, so that old ones can be removed. */
export const segmentSize = 32 * 1024 * 1024;

interface Segment {
  start: number;
  end: number;
  fd: number;
  file: string;
}

const firstRoom = 256 * 1024;
const segmentName = (start: number) => `journal-${String(start).padStart(16, '0')}.log`;

export interface OpenJournal extends Journal {
  readonly segments: readonly { start: number; end: number }[];
  /** Forgets the segments that lie wholly before the position. */
  dropBefore(position: number): void;
  /** Ends the present segment; the next record begins a new one. */
  rotate(): void;
}

/**
 * A journal in a folder. Records that arrive while a write is under way are written together by the next one, which
 * returns when the disk has them (O_DSYNC: one system call for write and sync).
 *
 * @param replay is given every sound record, in order, with its position
 * @param log gets a line where the last segment's torn tail was cut off
 */
export function openJournal(
  folder: string,
  replay: (record: DecodedRecord, position: number) => void,
  log: (line: string) => void,
): OpenJournal {
  fs.mkdirSync(folder, { recursive: true });
  const segments: Segment[] = [];
  const files = fs
    .readdirSync(folder)
    .filter((name) => /^journal-\d+\.log$/.test(name))
    .sort();
  for (const [i, file] of files.entries()) {
    const before = segments.at(-1);
    const start = Number(/\d+/.exec(file)![0]);
    if (before !== undefined && start !== before.end)
      throw new Error(`The journal in ${folder} is damaged: ${file} does not follow its predecessor`);
    segments.push(readSegment(path.join(folder, file), i === files.length - 1, start, replay, log));
  }
  if (segments.length === 0) segments.push(createSegment(folder, 0));

  let end = segments.at(-1)!.end;
  let filling = Buffer.allocUnsafe(firstRoom);
  let spare = Buffer.allocUnsafe(firstRoom);
  let filled = 0;
  let waiting: (() => void)[] = [];
  let writing = false;
  let scheduled = false;
  let failure: Error | undefined;
  let closed: (() => void) | undefined;

  function schedule(): void {
    if (writing || scheduled) return;
    scheduled = true;
    // What else happens in this turn of the event loop goes into the same write.
    setImmediate(flush);
  }

  function flush(): void {
    scheduled = false;
    if (writing || (filled === 0 && waiting.length === 0)) return;
    const callbacks = waiting;
    waiting = [];
    const bytes = filled;
    const buffer = filling;
    filling = spare;
    spare = buffer;
    filled = 0;
    if (bytes === 0) {
      for (const then of callbacks) then();
      return;
    }
    let segment = segments.at(-1)!;
    if (segment.end - segment.start >= segmentSize) {
      segment = createSegment(folder, segment.end);
      segments.push(segment);
    }
    writing = true;
    writeAll(segment.fd, buffer, bytes, segment.end - segment.start, (error) => {
      writing = false;
      if (error !== null) {
        // What cannot be written must not have happened: the engine stops here, and a restart goes on from the disk.
        failure = error;
        throw new Error(`The journal cannot be written: ${error.message}`, { cause: error });
      }
      segment.end += bytes;
      if (filled > 0 || waiting.length > 0) schedule();
      for (const then of callbacks) then();
      if (closed && filled === 0 && !writing) closed();
    });
  }

  function find(position: number): Segment {
    let low = 0;
    let high = segments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (segments[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    return segments[low]!;
  }

  const journal: OpenJournal = {
    segments,
    append(record) {
      if (failure) throw failure;
      const room = headerSize + record.body.length * 3;
      if (filled + room > filling.length) {
        const larger = Buffer.allocUnsafe(Math.max(filling.length * 2, filled + room));
        filling.copy(larger, 0, 0, filled);
        filling = larger;
      }
      const size = encodeRecord(record, filling, filled);
      filled += size;
      const position = end;
      end += size;
      schedule();
      return position;
    },
    afterCommit(then) {
      if (filled === 0 && !writing && waiting.length === 0) return then();
      waiting.push(then);
      schedule();
    },
    committed: () => new Promise((resolve) => journal.afterCommit(resolve)),
    read(position) {
      const segment = find(position);
      const offset = position - segment.start;
      let buffer = Buffer.allocUnsafe(Math.min(4096, segment.end - position));
      fs.readSync(segment.fd, buffer, 0, buffer.length, offset);
      const size = headerSize + buffer.readUInt32LE(0);
      if (size > buffer.length) {
        buffer = Buffer.allocUnsafe(size);
        fs.readSync(segment.fd, buffer, 0, size, offset);
      }
      const record = decodeRecord(buffer, 0);
      if (record === undefined) throw new Error(`The journal is damaged at ${position} (${segment.file})`);
      return record;
    },
    dropBefore(position) {
      while (segments.length > 1 && segments[0]!.end <= position) {
        const segment = segments.shift()!;
        fs.closeSync(segment.fd);
        fs.unlinkSync(segment.file);
      }
    },
    rotate() {
      const last = segments.at(-1)!;
      if (last.end > last.start && !writing && filled === 0) segments.push(createSegment(folder, last.end));
    },
    async close() {
      await journal.committed();
      if (writing || filled > 0) await new Promise<void>((resolve) => (closed = resolve));
      for (const { fd } of segments) fs.closeSync(fd);
    },
  };
  return journal;
}

function writeAll(
  fd: number,
  buffer: Buffer,
  bytes: number,
  position: number,
  done: (error: Error | null) => void,
  from = 0,
): void {
  fs.write(fd, buffer, from, bytes - from, position + from, (error, written) => {
    if (error !== null) done(error);
    else if (from + written < bytes) writeAll(fd, buffer, bytes, position, done, from + written);
    else done(null);
  });
}

function createSegment(folder: string, start: number): Segment {
  const file = path.join(folder, segmentName(start));
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_DSYNC, 0o600);
  // The file's name has to survive a power cut as well as its content.
  const directory = fs.openSync(folder, 'r');
  fs.fsyncSync(directory);
  fs.closeSync(directory);
  return { start, end: start, fd, file };
}

/** Reads a segment record by record and cuts off what a crash has left half-written at its end. */
function readSegment(
  file: string,
  last: boolean,
  start: number,
  replay: (record: DecodedRecord, position: number) => void,
  log: (line: string) => void,
): Segment {
  const content = fs.readFileSync(file);
  let offset = 0;
  while (offset < content.length) {
    const record = decodeRecord(content, offset);
    if (record === undefined) break;
    replay(record, start + offset);
    offset += record.size;
  }
  const fd = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_DSYNC);
  if (offset < content.length) {
    if (!last) throw new Error(`The journal is damaged at ${start + offset} (${file}), and more follows it`);
    fs.ftruncateSync(fd, offset);
    fs.fsyncSync(fd);
    log(`journal: cut ${content.length - offset} bytes of an unfinished write off ${path.basename(file)}`);
  }
  return { start, end: start + offset, fd, file };
}
