import { amendable, digest, digestLength, type RowsPlace, rowsOf } from 'vigil-client/shared';
import type { Conversation, Message } from '../../base/state/schemas';
import type { LiveRow, PieceRow } from '../live/live';

/** A reply that is being written has its text in a piece, which begins with its first character. */
type Row = LiveRow | PieceRow;

/** The number of rows of each kind that a position names. Older ones come with the first answer only. */
const namedOfEach = 150;

/**
 * Returns the rows of a conversation that a client at this place does not know, in the form of the live view: `mergeRows` takes them.
 * Repeated rows change nothing there.
 *
 * @param conversation its messages begin after `place.after`.
 */
export function rowsSince(place: RowsPlace | undefined, conversation: Conversation): { rows: Row[]; place: RowsPlace } {
  const { messages, more } = conversation;
  const known = new Set(place ? digestsIn(place.known) : []);
  const after = more ? messages.at(-1)!.seq : finalSeq(messages, place?.after ?? 0);
  const all = rowsOf(conversation);
  const named = new Set(latest(all.filter((row) => row.kind !== 'message' || row.row.seq > after)));
  const isOld = (row: Row) => place !== undefined && row.kind !== 'message' && !named.has(row);
  const rows = all.filter((row) => !known.has(nameOf(row)) && !isOld(row));
  return { rows, place: { after, known: [...named].map(nameOf).join('') } };
}

/** The last message before which none can change. One that was interrupted may be written again, and the latest may be amended. */
function finalSeq(messages: readonly Message[], after: number): number {
  const open = messages.find(({ status }) => status !== 'complete' && status !== 'cancelled');
  const last = messages.at(-1)?.seq ?? after;
  return Math.max(after, last - namedOfEach, Math.min((open?.seq ?? last) - 1, last - amendable));
}

/** A GET has the latest of each kind last. */
const latest = (rows: readonly Row[]): Row[] =>
  (['conversation', 'message', 'call', 'callback', 'timer', 'piece'] as const).flatMap((kind) =>
    rows.filter((row) => row.kind === kind).slice(-namedOfEach),
  );

/** After its end, a callback is shown as expired before its row has a new version. */
const nameOf = ({ kind, row }: Row): string => {
  if (kind === 'piece') return digest(`${kind} ${row.seq} ${row.attempt} ${row.text.length}`);
  const key = 'seq' in row ? row.seq : row.id;
  return digest(`${kind} ${key} ${row.version} ${'status' in row ? row.status : ''}`);
};

const digestsIn = (known: string): string[] =>
  Array.from({ length: known.length / digestLength }, (_, at) =>
    known.slice(at * digestLength, (at + 1) * digestLength),
  );
