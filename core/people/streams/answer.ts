import {
  agUiEvents,
  aiSdkChunks,
  beginningAt,
  isDone,
  movesSince,
  type Pace,
  paceOf,
  placeIn,
  positionText,
  replaces,
  rowsPlaceIn,
} from 'vigil-client/shared';
import { InvalidInput } from '../../base/text/errors';
import type { Person } from '../../conversations/members/role';
import type { Table } from '../../conversations/store/table';
import { viewConversation } from '../views/view';
import { readSince } from './read';
import { rowsSince } from './rows';
import { bodyOf, type ServerSent } from './server-sent';

/** `rows`: Vigil's own, as in the live view. `ai-sdk`: the AI SDK's UI message stream. `ag-ui`: AG-UI's events. */
export const dialects = ['rows', 'ai-sdk', 'ag-ui'] as const;
type Dialect = (typeof dialects)[number];

export interface StreamRequest {
  conversationId: string;
  user: Person;
  as: Dialect;
  /** The last position that the client has. */
  position?: string;
  /** Without a position: the `seq` after which to begin. */
  after?: number;
  waitSeconds: number;
}

/** Between two reads while the run works. Each costs about three reads of the table. */
const lookAgainMs = 500;
/** The delay before a client asks again: short while something happens, and long while nothing does. */
const retryMs: Record<Pace, number> = { wait: 100, soon: 5_000, rest: 60_000 };

/**
 * Answers a request for a stream with all that is new to the client. An answer arrives whole and late, because API Gateway collects
 * it, so it is as short as the first news. While the run works, it waits for news; the client then asks for what follows.
 *
 * @returns the body; undefined if the run is over, and the client knows all of it.
 * @throws NotFound if this person may not read the conversation.
 * @throws InvalidInput if the position is none of this stream.
 */
export async function streamAnswer(table: Table, request: StreamRequest): Promise<string | undefined> {
  const looks = Math.floor((request.waitSeconds * 1_000) / lookAgainMs);
  for (let look = 0; ; look++) {
    const { events, position, pace, isOver } = await (request.as === 'rows' ? rowNews : turnNews)(table, request);
    if (isOver && events.length === 0) return undefined;
    if (events.length > 0 || pace !== 'wait' || look >= looks) return bodyOf(events, position, retryMs[pace]);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

interface News {
  events: ServerSent[];
  position: string;
  pace: Pace;
  /** Whether nothing follows before a person writes, or a timer does. */
  isOver: boolean;
}

async function rowNews(table: Table, { conversationId, user, position, after }: StreamRequest): Promise<News> {
  const before = position === undefined ? undefined : known(rowsPlaceIn(position));
  const whole = await viewConversation(table, conversationId, user, { after: before?.after ?? after });
  const { rows, place } = rowsSince(before, whole);
  const { status, until, waitsFor } = whole;
  const pace = paceOf(whole, whole.callbacks, new Date());
  const events: ServerSent[] = rows.map((data) => ({ event: 'row', data }));
  const isOver = isDone(status);
  if (pace === 'rest' && !whole.more && (events.length > 0 || !isOver))
    events.push({ event: 'rest', data: { status, until, waitsFor } });
  return { events, position: positionText(place), pace: whole.more ? 'wait' : pace, isOver };
}

async function turnNews(table: Table, request: StreamRequest): Promise<News> {
  const { conversationId, user, position, after, as } = request;
  const now = new Date();
  const given =
    position === undefined ? (after === undefined ? undefined : beginningAt(after)) : known(placeIn(position));
  const { seen, place: before } = await readSince(table, conversationId, user, given, now);
  const { head, callbacks } = seen;
  const told = movesSince(before, seen, now);
  const { moves, place } = told;
  const isOver = isDone(head.status);
  const at = { position: positionText(place), pace: paceOf(head, callbacks, now), isOver };
  const isKnown = before.rest === place.rest && moves.length === 1;
  if (isOver && (isKnown || head.status === 'idle')) return { ...at, events: [] };
  const whole = as === 'ag-ui' && replaces(moves) ? await viewConversation(table, conversationId, user) : undefined;
  const data = as === 'ai-sdk' ? aiSdkChunks(before, told) : agUiEvents(moves, whole);
  return { ...at, events: data.map((one) => ({ data: one })) };
}

/** @throws InvalidInput if the position is none. */
function known<Position>(position: Position | undefined): Position {
  if (position !== undefined) return position;
  throw new InvalidInput(
    'Last-Event-ID',
    'is not a position in this stream: leave it out, and the stream begins again',
  );
}
