import type { PutEventsRequestEntry, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { eventSource, type FinishedEvent } from '../../core/live/events';
import { log } from '../../runtime/log';

/** Puts entries on the event bus, as many as one call takes. What it answers has their order. */
export type PutEvents = (entries: PutEventsRequestEntry[]) => Promise<PutEventsResultEntry[]>;

/** An event, and the number of the change in the stream that it is about. */
export interface Publication {
  sequenceNumber: string;
  event: FinishedEvent;
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
const entriesAtOnce = 10;
const bytesAtOnce = 256 * 1_024;
const timeBytes = 14;

/** An entry that EventBridge refused for the moment is put again at once; after that the stream brings it again, a moment later. */
const attempts = 2;

/**
 * Time heals neither a bus that is gone nor a right that is missing. To wait for somebody who does would keep all later changes
 * from the pages as well: such events are lost, and the log says so.
 */
const forGood = new Set([
  ...['AccessDeniedException', 'ResourceNotFoundException', 'ValidationException'],
  ...['InvalidArgument', 'MalformedDetail', 'NotAuthorizedForSourceException'],
]);

/** @returns the sequence numbers of what is not published: the stream is to bring them again. */
export async function publishAll(put: PutEvents, publications: readonly Publication[]): Promise<string[]> {
  let open = publications;
  let lost = 0;
  for (let attempt = 1; attempt <= attempts && open.length > 0; attempt++) {
    const refused = (await Promise.all(portionsOf(open).map((portion) => putPortion(put, portion)))).flat();
    open = refused.filter(({ error }) => !forGood.has(error)).map(({ publication }) => publication);
    lost += refused.length - open.length;
  }
  const published = publications.length - open.length - lost;
  if (published > 0) log.info('published', { events: published });
  if (lost > 0) log.error('events are lost: the bus refuses them for good', { events: lost });
  return open.map(({ sequenceNumber }) => sequenceNumber);
}

interface Refused {
  publication: Publication;
  /** Its name. */
  error: string;
}

/** @returns what was refused: all of it, when the call fails. */
async function putPortion(put: PutEvents, portion: Publication[]): Promise<Refused[]> {
  const refused = await put(portion.map(entryOf)).then(
    (results) =>
      portion.flatMap((publication, index): Refused[] => {
        const { EventId, ErrorCode = 'unknown' } = results[index] ?? {};
        return EventId ? [] : [{ publication, error: ErrorCode }];
      }),
    ({ name }: Error) => portion.map((publication): Refused => ({ publication, error: name })),
  );
  if (refused.length > 0) log.warn('events were refused', { events: refused.length, error: refused[0]!.error });
  return refused;
}

function entryOf({ event: { detailType, detail, time } }: Publication): PutEventsRequestEntry {
  return { Source: eventSource, DetailType: detailType, Detail: JSON.stringify(detail), Time: new Date(time) };
}

/** As many as one call takes, by number and by size. */
function portionsOf(publications: readonly Publication[]): Publication[][] {
  const portions: Publication[][] = [];
  let bytes = 0;
  for (const publication of publications) {
    const { Source = '', DetailType = '', Detail = '' } = entryOf(publication);
    const size = timeBytes + Buffer.byteLength(Source + DetailType + Detail);
    const last = portions.at(-1);
    if (last && last.length < entriesAtOnce && bytes + size <= bytesAtOnce) {
      last.push(publication);
      bytes += size;
    } else {
      portions.push([publication]);
      bytes = size;
    }
  }
  return portions;
}
