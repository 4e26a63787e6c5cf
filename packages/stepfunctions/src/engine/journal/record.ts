import { crc32 } from 'node:zlib';
import type { Status } from '../../execution/execution';

/** One thing that happened, as the journal keeps it. */
export interface JournalRecord {
  kind: RecordKind;
  /** The execution that it happened to; 0 for the catalogue. */
  serial: number;
  /** The position of the execution's previous record; -1 for the first. An execution's records are a list, read backwards. */
  previous: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** The time to wake the execution next; 0 for never. Known without computing the execution again. */
  wakeAt: number;
  /** A task has to be dispatched again should the engine die now. */
  inFlight: boolean;
  /** The execution's status afterwards. */
  status: Status;
  /** The last event of the history after this record: tells whether a later engine computes the same. */
  lastEvent: number;
  /** JSON text. */
  body: string;
}

/** Numbers are on disk: never change one. */
const recordKinds = {
  start: 1,
  succeeded: 2,
  failed: 3,
  submitted: 4,
  started: 5,
  heartbeat: 6,
  alarm: 7,
  stop: 8,
  redrive: 9,
  catalogue: 10,
  delivered: 11,
  image: 12,
  abandon: 13,
  scheduled: 14,
  mapRun: 15,
} as const;

export type RecordKind = keyof typeof recordKinds;
const kindNames: (RecordKind | undefined)[] = [];
for (const [name, number] of Object.entries(recordKinds)) kindNames[number] = name as RecordKind;

/** By position, on disk as well. */
const statuses: readonly Status[] = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'];

/** length, checksum, kind, flags, status, a spare byte, last event, serial, previous, time, wake time. */
export const headerSize = 48;
const inFlightFlag = 1;

/** Writes a record at `offset`; the buffer has room for `headerSize + 3 * body.length` bytes. Returns its size. */
export function encodeRecord(record: JournalRecord, buffer: Buffer, offset: number): number {
  const length = buffer.write(record.body, offset + headerSize, 'utf8');
  buffer.writeUInt32LE(length, offset);
  buffer[offset + 8] = recordKinds[record.kind];
  buffer[offset + 9] = record.inFlight ? inFlightFlag : 0;
  buffer[offset + 10] = statuses.indexOf(record.status);
  buffer[offset + 11] = 0;
  buffer.writeUInt32LE(record.lastEvent, offset + 12);
  buffer.writeDoubleLE(record.serial, offset + 16);
  buffer.writeDoubleLE(record.previous, offset + 24);
  buffer.writeDoubleLE(record.time, offset + 32);
  buffer.writeDoubleLE(record.wakeAt, offset + 40);
  const size = headerSize + length;
  buffer.writeUInt32LE(crc32(buffer.subarray(offset + 8, offset + size), length), offset + 4);
  return size;
}

/** A record inside a buffer; its body is read when asked for. */
export class DecodedRecord implements JournalRecord {
  readonly kind: RecordKind;
  readonly size: number;
  readonly serial: number;
  readonly previous: number;
  readonly time: number;
  readonly wakeAt: number;
  readonly inFlight: boolean;
  readonly status: Status;
  readonly lastEvent: number;

  constructor(
    kind: RecordKind,
    length: number,
    private readonly buffer: Buffer,
    private readonly offset: number,
  ) {
    this.kind = kind;
    this.size = headerSize + length;
    this.serial = buffer.readDoubleLE(offset + 16);
    this.previous = buffer.readDoubleLE(offset + 24);
    this.time = buffer.readDoubleLE(offset + 32);
    this.wakeAt = buffer.readDoubleLE(offset + 40);
    this.inFlight = (buffer[offset + 9]! & inFlightFlag) !== 0;
    this.status = statuses[buffer[offset + 10]!] ?? 'RUNNING';
    this.lastEvent = buffer.readUInt32LE(offset + 12);
  }

  get body(): string {
    return this.buffer.toString('utf8', this.offset + headerSize, this.offset + this.size);
  }
}

/** Reads the record at `offset`; undefined where there is none, or only a torn or damaged one. */
export function decodeRecord(buffer: Buffer, offset: number): DecodedRecord | undefined {
  if (offset + headerSize > buffer.length) return undefined;
  const length = buffer.readUInt32LE(offset);
  const end = offset + headerSize + length;
  const kind = kindNames[buffer[offset + 8]!];
  if (kind === undefined || end > buffer.length) return undefined;
  if (crc32(buffer.subarray(offset + 8, end), length) !== buffer.readUInt32LE(offset + 4)) return undefined;
  return new DecodedRecord(kind, length, buffer, offset);
}
