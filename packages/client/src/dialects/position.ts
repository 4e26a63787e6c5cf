/**
 * The position of a client in a stream: the id of an answer's last event (`Last-Event-ID`). It has all that the server has to
 * know, so any function at any time can go on from it, and nothing is stored.
 */
export type Position = Place | RowsPlace;

/** The last reported stage of a call: it is made, its approval is asked for, or that is decided. */
export type Told = 'made' | 'asked' | 'decided';

/** A position in what follows one message of a person: a turn. */
export interface Place {
  /** The `seq` after which the turn begins. */
  from: number;
  /** All messages up to this `seq` have been told whole. */
  seq: number;
  /** The next message, if it has been told in part: how many characters, and their digest. */
  part?: { chars: number; digest: string };
  /** Calls that have been told and have no outcome yet. */
  calls: Record<string, Told>;
  /** The last rest that has been told. */
  rest?: string;
}

/** A position among the rows of a conversation. */
export interface RowsPlace {
  /** The messages up to this `seq` are final and known. */
  after: number;
  /** The other rows that are known, each with its version, as digests of `digestLength` characters. */
  known: string;
}

export const beginningAt = (from: number): Place => ({ from, seq: from, calls: {} });

/** A position is a header of the next request: API Gateway takes at most 10,240 bytes of all headers. */
export const longestPosition = 8_000;

/** Base64url of JSON. All in it are ids and numbers, so it is ASCII. */
export const positionText = (position: Position): string =>
  btoa(JSON.stringify(position)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** Reads a position in a turn; undefined if it is none, or one of another kind of stream. */
export function placeIn(text: string): Place | undefined {
  const { from, seq, part, calls, rest } = parsed(text) as Partial<Place>;
  const told = calls && typeof calls === 'object' ? Object.values(calls) : undefined;
  const isPart = part === undefined || (isCount(part?.chars) && typeof part.digest === 'string');
  if (!isCount(from) || !isCount(seq) || !isPart || !told?.every((one) => stages.has(one))) return undefined;
  if (rest !== undefined && typeof rest !== 'string') return undefined;
  return { from, seq, calls: calls as Place['calls'], ...(part && { part }), ...(rest !== undefined && { rest }) };
}

/** Reads a position among rows; undefined if it is none. */
export function rowsPlaceIn(text: string): RowsPlace | undefined {
  const { after, known } = parsed(text) as Partial<RowsPlace>;
  if (!isCount(after) || typeof known !== 'string') return undefined;
  return { after, known };
}

const stages = new Set<unknown>(['made', 'asked', 'decided'] satisfies Told[]);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
    if (value && typeof value === 'object') return value;
  } catch {
    // It is none.
  }
  return {};
}

/**
 * A digest of 32 bits that a browser computes, too. It recognizes what was sent. A client that makes one up harms only what it is sent
 * itself.
 */
export function digest(text: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2_654_435_761);
    two = Math.imul(two ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909);
  return (one >>> 0).toString(16).padStart(digestLength, '0');
}
export const digestLength = 8;
