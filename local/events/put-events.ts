import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from 'vigil-stepfunctions';
import { sendJson } from '../app/http-server';
import { operationOf, readAwsJson, type ServiceHandler } from '../aws/aws-endpoint';
import { AwsError } from '../aws/aws-error';
import type { Place } from '../template/physical-ids';
import { busName, defaultBus, type EventBridge } from './event-bridge';

/**
 * PutEvents, for the default bus and those of the template. Each event becomes a line of `<state>/events.jsonl`,
 * whether a rule matches it or not. The rules of its bus receive it asynchronously.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
export interface PutEventsOptions {
  place: Place;
  /** The names of the buses. */
  buses: () => readonly string[];
  bridge: EventBridge;
  clock: Clock;
  stateDirectory: string;
  /** Throws if the caller may not perform `action` on this bus. */
  authorize: (accessKeyId: string, action: string, busArn: string) => void;
  log: (line: string) => void;
}

interface Entry {
  EventBusName?: string;
  Source?: string;
  DetailType?: string;
  Detail?: string;
  Resources?: string[];
  /** Seconds since 1970. */
  Time?: number;
}

type Result = { EventId: string } | { ErrorCode: string; ErrorMessage: string };

const bodyLimit = 1_000_000;
const maxEntries = 10;
const maxBytes = 256 * 1_024;

export function putEventsHandler(options: PutEventsOptions): ServiceHandler {
  const { place, buses, bridge, clock, stateDirectory, authorize, log } = options;
  const file = join(stateDirectory, 'events.jsonl');

  return async (request, response, { accessKeyId }) => {
    const operation = operationOf(request);
    if (operation !== 'PutEvents')
      throw new AwsError('UnknownOperationException', `The local EventBridge serves PutEvents, not ${operation}.`);
    const { Entries } = (await readAwsJson(request, bodyLimit)) as { Entries?: Entry[] };
    const entries = checked(Entries);
    for (const entry of entries) {
      const bus = busOf(entry);
      if (bus !== defaultBus && !buses().includes(bus))
        throw new AwsError('ResourceNotFoundException', `Event bus ${bus} does not exist.`);
      authorize(accessKeyId, 'events:PutEvents', `arn:aws:events:${place.region}:${place.accountId}:event-bus/${bus}`);
    }
    const results: Result[] = [];
    for (const entry of entries) results.push(refusal(entry) ?? (await take(entry)));
    const body = { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
    sendJson(response, 200, body, { 'content-type': 'application/x-amz-json-1.1' });
  };

  async function take(entry: Entry): Promise<Result> {
    const event = envelope(entry, place, clock.now());
    const bus = busOf(entry);
    await appendFile(file, `${JSON.stringify({ bus, ...event })}\n`);
    bridge
      .put(event, bus)
      .catch((error: Error) => log(`An event could not be delivered to a rule's target: ${error.message}`));
    return { EventId: event.id };
  }
}

const busOf = ({ EventBusName = defaultBus }: Entry): string => busName(EventBusName);

function checked(entries: Entry[] | undefined): Entry[] {
  const many = entries?.length ?? 0;
  if (!entries || many === 0 || many > maxEntries)
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length between 1 and ${maxEntries}`,
    );
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > maxBytes)
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  return entries;
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html#eb-putevent-size */
function sizeOf({ Source = '', DetailType = '', Detail = '', Resources = [], Time }: Entry): number {
  return (Time === undefined ? 0 : 14) + Buffer.byteLength(Source + DetailType + Detail + Resources.join(''));
}

/** Returns EventBridge's error for a single entry; the other entries are still accepted. */
function refusal({ Source, DetailType, Detail }: Entry): Result | undefined {
  const missing = Object.entries({ Source, DetailType, Detail }).find(([, value]) => !value)?.[0];
  if (missing) {
    const ErrorMessage = `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`;
    return { ErrorCode: 'InvalidArgument', ErrorMessage };
  }
  if (Source?.startsWith('aws.'))
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  return isJsonObject(Detail) ? undefined : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

function isJsonObject(text = ''): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function envelope({ Source, DetailType, Detail, Resources = [], Time }: Entry, place: Place, now: number) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account: place.accountId,
    time: new Date(Time === undefined ? now : Time * 1_000).toISOString(),
    region: place.region,
    resources: Resources,
    detail: JSON.parse(Detail ?? '{}') as object,
  };
}
