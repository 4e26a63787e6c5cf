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
  /** Calls `listen` when, and where, the disk takes nothing. Returns what ends that. */
  onFailure(listen: (failure: Error) => void): () => void;
  close(): Promise<void>;
}

/** A journal in files, the oldest of which can go when nothing in them is needed any more. */
export interface FileJournal extends Journal {
  readonly segments: readonly { readonly start: number; readonly end: number }[];
  /** Removes the segments that lie wholly before the position. */
  dropBefore(position: number): void;
}

/** A new segment is begun when the present one is this long. */
const segmentSize = 32 * 1024 * 1024;
const firstRoom = 256 * 1024;
/** Milliseconds after which what could not be written is tried again. */
const retryDelay = 500;

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
  /** Callbacks for the records in `filling`, and for those being written. */
  private waiting: (() => void)[] = [];
  private underWay: (() => void)[] = [];
  private writing = false;
  private scheduled = false;
  private closed = false;
  private failure: Error | undefined;
  private readonly listeners = new Set<(failure: Error) => void>();
  private retry: NodeJS.Timeout | undefined;

  constructor(private readonly options: JournalOptions) {}

  recover(replay: (record: DecodedRecord, position: number) => void): void {
    this.segments = readAll(this.options, replay);
    this.end = this.segments.at(-1)!.end;
  }

  append(record: JournalRecord): number {
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
    this.write(buffer, bytes);
  }

  private write(buffer: Buffer, bytes: number): void {
    try {
      const segment = this.present();
      appendTo(segment, buffer, bytes, (error) => {
        if (error === null) this.written(segment, bytes);
        else this.failed(buffer, bytes, error);
      });
    } catch (error) {
      this.failed(buffer, bytes, error as Error);
    }
  }

  /**
   * Repeats a failed write until there is room. Until then, its records have not happened, and nothing of them is let out; those
   * who ask for something new are refused.
   */
  private failed(buffer: Buffer, bytes: number, error: Error): void {
    if (this.closed) return;
    if (this.failure === undefined) {
      this.failure = new Error(`The journal cannot be written: ${error.message}`, { cause: error });
      this.options.log(`${this.failure.message}. Nothing goes on until it can.`);
      for (const listen of [...this.listeners]) listen(this.failure);
    }
    this.retry = setTimeout(() => this.write(buffer, bytes), retryDelay);
    this.retry.unref();
  }

  onFailure(listen: (failure: Error) => void): () => void {
    if (this.failure) listen(this.failure);
    else this.listeners.add(listen);
    return () => this.listeners.delete(listen);
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

  private written(segment: Segment, bytes: number): void {
    if (this.failure) this.options.log('The journal can be written again.');
    this.failure = undefined;
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
    while (this.failure === undefined && (this.filled > 0 || this.writing)) {
      let stop = () => {};
      await Promise.race([this.committed(), new Promise<void>((resolve) => (stop = this.onFailure(() => resolve())))]);
      stop();
    }
    // What the disk has not taken is lost, as in a crash; nobody has been told of it.
    this.closed = true;
    clearTimeout(this.retry);
    for (const segment of this.segments) closeSegment(segment);
  }
}
