import fs from 'node:fs';
import path from 'node:path';
import { type DecodedRecord, decodeRecord, encodeRecord, headerSize, type JournalRecord } from './record';
import { appendTo, closeSegment, createSegment, isSegment, readSegment, type Segment } from './segment';

/** An append-only list of records. Positions are counted over all segments and only grow. */
export interface Journal {
  /** Reads what earlier engines have left: every sound record, in order, with its position. Comes before everything else. */
  recover(replay: (record: DecodedRecord, position: number) => void): void;
  /** Adds a record and returns its position. It is not on disk yet. */
  append(record: JournalRecord): number;
  /** Calls `then` once everything appended so far is on disk; before it returns where it is already. */
  afterCommit(then: () => void): void;
  /** The record at a position that an `append` gave. */
  read(position: number): JournalRecord;
  /** Whether the record at the position is on disk. */
  isCommitted(position: number): boolean;
  /** Everything up to now is on disk. */
  committed(): Promise<void>;
  close(): Promise<void>;
}

/** A journal in files, the oldest of which can go when nothing in them is needed any more. */
export interface FileJournal extends Journal {
  readonly segments: readonly { readonly start: number; readonly end: number }[];
  /** Removes the segments that lie wholly before the position. */
  dropBefore(position: number): void;
}

/** A new segment is begun when the present one is this long. */
export const segmentSize = 32 * 1024 * 1024;
const firstRoom = 256 * 1024;

export interface JournalOptions {
  folder: string;
  /** Gets a line where the torn end of a write was cut off. */
  log(line: string): void;
  segmentSize?: number;
  /** See `StepFunctionsOptions`. */
  passing?: (record: string) => (() => void) | undefined;
}

/**
 * Opens the journal of a folder. Records that arrive while a write is under way are written together by the next one
 * (group commit). Throws where the folder cannot be used.
 */
export function openJournal(options: JournalOptions): FileJournal {
  fs.mkdirSync(options.folder, { recursive: true });
  return new SegmentedJournal(options);
}

function readAll(
  { folder, log }: JournalOptions,
  replay: (record: DecodedRecord, position: number) => void,
): Segment[] {
  const segments: Segment[] = [];
  const files = fs.readdirSync(folder).filter(isSegment).sort();
  for (const [i, name] of files.entries()) {
    const segment = readSegment(path.join(folder, name), i === files.length - 1, replay, log);
    const before = segments.at(-1);
    if (before !== undefined && segment.start !== before.end) {
      throw new Error(`The journal in ${folder} is damaged: ${name} does not follow its predecessor`);
    }
    segments.push(segment);
  }
  return segments.length > 0 ? segments : [createSegment(folder, 0)];
}

class SegmentedJournal implements FileJournal {
  segments: Segment[] = [];
  private end = 0;
  /** One buffer is filled while the other one is written. */
  private filling = Buffer.allocUnsafe(firstRoom);
  private spare = Buffer.allocUnsafe(firstRoom);
  private filled = 0;
  /** Who waits for what is in `filling`, and who for what is being written. */
  private waiting: (() => void)[] = [];
  private underWay: (() => void)[] = [];
  private writing = false;
  private scheduled = false;
  private failure: Error | undefined;

  constructor(private readonly options: JournalOptions) {}

  recover(replay: (record: DecodedRecord, position: number) => void): void {
    this.segments = readAll(this.options, replay);
    this.end = this.segments.at(-1)!.end;
  }

  append(record: JournalRecord): number {
    if (this.failure) throw this.failure;
    const passed = this.options.passing?.(record.kind);
    const room = headerSize + record.body.length * 3;
    if (this.filled + room > this.filling.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.filling.length * 2, this.filled + room));
      this.filling.copy(larger, 0, 0, this.filled);
      this.filling = larger;
    }
    const size = encodeRecord(record, this.filling, this.filled);
    const position = this.end;
    this.filled += size;
    this.end += size;
    this.schedule();
    if (passed) this.afterCommit(passed);
    return position;
  }

  afterCommit(then: () => void): void {
    if (this.filled > 0) this.waiting.push(then);
    else if (this.writing) this.underWay.push(then);
    else then();
  }

  committed(): Promise<void> {
    return new Promise((resolve) => this.afterCommit(resolve));
  }

  private schedule(): void {
    if (this.writing || this.scheduled) return;
    this.scheduled = true;
    // What else happens in this turn of the event loop goes into the same write.
    setImmediate(() => this.flush());
  }

  private flush(): void {
    this.scheduled = false;
    const bytes = this.filled;
    const buffer = this.filling;
    this.filling = this.spare.length > 16 * firstRoom ? Buffer.allocUnsafe(firstRoom) : this.spare;
    this.spare = buffer;
    this.filled = 0;
    this.underWay = this.waiting;
    this.waiting = [];
    this.writing = true;
    const segment = this.present();
    appendTo(segment, buffer, bytes, (error) => this.written(segment, bytes, error));
  }

  private present(): Segment {
    const last = this.segments.at(-1)!;
    if (last.end - last.start < (this.options.segmentSize ?? segmentSize)) return last;
    fs.ftruncateSync(last.fd, last.end - last.start);
    last.allocated = last.end - last.start;
    const next = createSegment(this.options.folder, last.end);
    this.segments.push(next);
    return next;
  }

  private written(segment: Segment, bytes: number, error: Error | null): void {
    if (error !== null) {
      // What cannot be written must not have happened: the process ends here, and a restart goes on from the disk.
      this.failure = new Error(`The journal cannot be written: ${error.message}`, { cause: error });
      throw this.failure;
    }
    this.writing = false;
    segment.end += bytes;
    const callbacks = this.underWay;
    this.underWay = [];
    if (this.filled > 0) this.schedule();
    for (const then of callbacks) then();
  }

  read(position: number): DecodedRecord {
    if (!this.isCommitted(position)) return this.readUncommitted(position);
    const segment = this.segments.findLast(({ start }) => start <= position)!;
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
  }

  private readUncommitted(position: number): DecodedRecord {
    const inFilling = position - (this.end - this.filled);
    const [buffer, offset] =
      inFilling >= 0 ? [this.filling, inFilling] : [this.spare, position - this.segments.at(-1)!.end];
    // A copy: the buffer will be filled anew.
    const size = headerSize + buffer.readUInt32LE(offset);
    return decodeRecord(Buffer.from(buffer.subarray(offset, offset + size)), 0)!;
  }

  isCommitted(position: number): boolean {
    return position < this.segments.at(-1)!.end;
  }

  dropBefore(position: number): void {
    while (this.segments.length > 1 && this.segments[0]!.end <= position) {
      const segment = this.segments.shift()!;
      fs.closeSync(segment.fd);
      fs.unlinkSync(segment.file);
    }
  }

  async close(): Promise<void> {
    while (this.filled > 0 || this.writing) await this.committed();
    for (const segment of this.segments) closeSegment(segment);
  }
}
