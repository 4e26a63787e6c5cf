import type { PutEventsRequestEntry, PutEventsResultEntry } from '@aws-sdk/client-eventbridge';
import { eventSource, type FinishedEvent } from '../../core/people/live/events';
import { log } from '../../runtime/log';
import { portionsOf } from './portions';

/** Puts entries on the event bus, at most as many as fit into one call. The results have the same order. */
export type PutEvents = (entries: PutEventsRequestEntry[]) => Promise<PutEventsResultEntry[]>;

/** An event, and the sequence number of its change in the stream. */
export interface Publication {
  sequenceNumber: string;
  event: FinishedEvent;
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
const most = { items: 10, bytes: 256 * 1_024 };
const timeBytes = 14;

/** An entry that EventBridge refused temporarily is sent again at once. After that, the stream delivers its change again. */
const attempts = 2;

/**
 * Errors that a retry cannot fix, such as a missing bus or permission. Retrying would block all later changes, pages included, so
 * such events are lost, and the log says so.
 */
const forGood = new Set([
  'AccessDeniedException',
  'ResourceNotFoundException',
  'ValidationException',
  'InvalidArgument',
  'MalformedDetail',
  'NotAuthorizedForSourceException',
]);

/** @returns the sequence numbers of events that are not published, which the stream must deliver again. */
export async function publishAll(put: PutEvents, publications: readonly Publication[]): Promise<string[]> {
  let open = publications;
  let lost = 0;
  for (let attempt = 1; attempt <= attempts && open.length > 0; attempt++) {
    const refused = (
      await Promise.all(portionsOf(open, bytesOf, most).map((portion) => putPortion(put, portion)))
    ).flat();
    open = refused.filter(({ error }) => !forGood.has(error)).map(({ publication }) => publication);
    lost += refused.length - open.length;
  }
  const published = publications.length - open.length - lost;
  if (published > 0) log.info('published', { events: published });
  if (lost > 0) log.error('events are lost: the bus rejects them permanently', { events: lost });
  return open.map(({ sequenceNumber }) => sequenceNumber);
}

interface Refused {
  publication: Publication;
  /** The error's name. */
  error: string;
}

/** @returns the refused publications: all of them if the call fails. */
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

function bytesOf(publication: Publication): number {
  const { Source = '', DetailType = '', Detail = '' } = entryOf(publication);
  return timeBytes + Buffer.byteLength(Source + DetailType + Detail);
}
