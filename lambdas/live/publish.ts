import type { PutEventsRequestEntry, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { eventSource, type FinishedEvent } from '../../core/events';
import { log } from '../log';

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

/** @returns the sequence numbers of what is not published: the stream is to bring them again. */
export async function publishAll(put: PutEvents, publications: readonly Publication[]): Promise<string[]> {
  let open = publications;
  for (let attempt = 1; attempt <= attempts && open.length > 0; attempt++)
    open = (await Promise.all(portionsOf(open).map((portion) => putPortion(put, portion)))).flat();
  const published = publications.length - open.length;
  if (published > 0) log.info('published', { events: published });
  return open.map(({ sequenceNumber }) => sequenceNumber);
}

/** @returns what was refused: all of it, when the call fails. */
async function putPortion(put: PutEvents, portion: Publication[]): Promise<Publication[]> {
  try {
    const results = await put(portion.map(entryOf));
    const refused = portion.filter((_, index) => !results[index]?.EventId);
    const error = results.find(({ ErrorCode }) => ErrorCode)?.ErrorCode;
    if (refused.length > 0) log.warn('events were refused', { events: refused.length, error });
    return refused;
  } catch (error) {
    log.warn('events cannot be published', { events: portion.length, error: (error as Error).name });
    return portion;
  }
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
