import fs from 'node:fs';
import path from 'node:path';
import { type DecodedRecord, decodeRecord } from './record';

/** One file of the journal, covering the positions from `start` to `end`. */
export interface Segment {
  readonly file: string;
  readonly fd: number;
  readonly start: number;
  end: number;
  /** The file's size on disk; beyond `end` it is zeros. */
  allocated: number;
}

const segmentName = (start: number) => `journal-${String(start).padStart(16, '0')}.log`;
export const isSegment = (name: string) => /^journal-\d+\.log$/.test(name);
const startOf = (name: string) => Number(/\d+/.exec(name)![0]);

/** Room is made in steps: a write inside the file needs no change of the file's length on disk, which saves a third of its time. */
const step = 1024 * 1024;
const zeros = Buffer.alloc(step);

/** O_DSYNC: a write returns when the disk has it. */
const flags = fs.constants.O_RDWR | fs.constants.O_DSYNC;

export function createSegment(folder: string, start: number): Segment {
  const file = path.join(folder, segmentName(start));
  const fd = fs.openSync(file, flags | fs.constants.O_CREAT, 0o600);
  // The file's name has to survive a power cut as well as its content.
  const directory = fs.openSync(folder, 'r');
  fs.fsyncSync(directory);
  fs.closeSync(directory);
  return { start, end: start, fd, file, allocated: 0 };
}

/**
 * Reads a segment record by record, and cuts off what a crash has left half-written at the end of the last one.
 * Throws where an earlier segment is damaged: cutting there would lose what follows.
 */
export function readSegment(
  file: string,
  last: boolean,
  replay: (record: DecodedRecord, position: number) => void,
  log: (line: string) => void,
): Segment {
  const start = startOf(path.basename(file));
  const content = fs.readFileSync(file);
  let offset = 0;
  for (let record = decodeRecord(content, 0); record !== undefined; record = decodeRecord(content, offset)) {
    replay(record, start + offset);
    offset += record.size;
  }
  const fd = fs.openSync(file, flags);
  const rest = content.subarray(offset);
  if (rest.length > 0) {
    const torn = rest.length - trailingZeros(rest);
    if (torn > 0 && !last)
      throw new Error(`The journal is damaged at ${start + offset} (${file}), and more follows it`);
    fs.ftruncateSync(fd, offset);
    fs.fsyncSync(fd);
    if (torn > 0) log(`journal: cut ${torn} bytes of an unfinished write off ${path.basename(file)}`);
  }
  return { start, end: start + offset, fd, file, allocated: offset };
}

function trailingZeros(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && bytes[at - 1] === 0) at -= 1;
  return bytes.length - at;
}

/** Appends bytes; `done` is called when they are on disk. */
export function appendTo(segment: Segment, buffer: Buffer, bytes: number, done: (error: Error | null) => void): void {
  const offset = segment.end - segment.start;
  if (offset + bytes <= segment.allocated) {
    write(segment.fd, buffer, 0, bytes, offset, done);
    return;
  }
  // Zeros beyond the new end first: the data itself then lies inside the file.
  write(segment.fd, zeros, 0, step, segment.allocated, (error) => {
    if (error !== null) return done(error);
    segment.allocated += step;
    appendTo(segment, buffer, bytes, done);
  });
}

function write(
  fd: number,
  buffer: Buffer,
  from: number,
  to: number,
  offset: number,
  done: (error: Error | null) => void,
): void {
  fs.write(fd, buffer, from, to - from, offset, (error, written) => {
    if (error !== null) done(error);
    else if (from + written < to) write(fd, buffer, from + written, to, offset + written, done);
    else done(null);
  });
}

/** Gives back the room beyond the segment's end. */
export function closeSegment({ fd, start, end, allocated }: Segment): void {
  if (allocated > end - start) fs.ftruncateSync(fd, end - start);
  fs.closeSync(fd);
}
