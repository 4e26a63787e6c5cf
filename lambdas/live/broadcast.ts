import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { inThisFormat, isOfLaterVersion } from '../../core/conversations/rows/formats';
import { key } from '../../core/conversations/rows/keys';
import type { Heard, Listener } from '../../core/module';
import { broadcastOf, type Push, type RowChange, type UserChange } from '../../core/people/live/broadcast';
import { countedIn } from '../../core/people/live/counted';
import { finishedBy } from '../../core/people/live/finished';
import { saidBy } from '../../core/people/meaning/said-by';
import { modules } from '../../modules';
import { tableOfDeployment, variable } from '../../runtime/environment';
import { log, logged } from '../../runtime/log';
import { count } from '../../runtime/metrics';
import { originOf } from '../../runtime/plain-error';
import { embedLater } from '../ask-embed';
import { beginEmbedding, type NewlySaid } from './begin-embedding';
import { endGuests } from './end-guests';
import { connectionsOfGateway } from './gateway';
import { type Publication, type PutEvents, publishAll } from './publish';
import { pushAll, withinPatience } from './push';

const table = tableOfDeployment();
const live = tableOfDeployment('LIVE_TABLE_NAME');
const lambda = new LambdaClient({});
const embed = embedLater(lambda);
const listeners = modules.flatMap((module) => module.listeners ?? []);
const connections = connectionsOfGateway();
const bridge = new EventBridgeClient({});
const EventBusName = variable('EVENT_BUS_NAME');

/** The time limits for all pushes of a batch, and for one call to EventBridge. */
const pushingMs = 10_000;
const puttingMs = 5_000;

const put: PutEvents = async (entries) => {
  const command = new PutEventsCommand({ Entries: entries.map((entry) => ({ ...entry, EventBusName })) });
  return (await bridge.send(command, { abortSignal: AbortSignal.timeout(puttingMs) })).Entries ?? [];
};

/**
 * Broadcast: pushes the table's changes to pages, publishes events about finished things, has messages embedded, and tells modules what has
 * changed. All are in one function, because a DynamoDB stream should have at most two readers, and Relay is the other.
 *
 * The jobs run in parallel, and a failure of one does not affect the others. Failed pushes are only logged, because clients read again.
 * Events that are not published, embeddings, and what modules have not begun are reported, so the stream delivers their changes again. So are a
 * row that a later version has written, and what came after it in its conversation, for that version: the row may say who is to see the rest. If
 * no such version has come after ten minutes, they are given up, and other conversations have not waited.
 */
export const handler = logged(async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const { records, later } = withoutLater(event.Records);
  const changes = records.flatMap(changeOf);
  const publications = publicationsOf(changes);
  const embedding = embed ? beginEmbedding(embed, saidIn(changes)) : [];
  const ofUsers = records.flatMap(userChangeOf);
  const heard = listeners.map((listener) => ({ listener, items: itemsOf(listener, changes, ofUsers) }));
  const begun = heard.map(({ listener, items }) => listener.begin(items));
  const told = heard.flatMap(({ listener, items }) => items.flatMap((item) => listener.pushes?.(item) ?? []));
  const jobs = [publishAll(put, publications), embedding, ...begun, push(changes, told)];
  const again = new Set((await Promise.all(jobs)).flat());
  countAll(changes, publications, again);
  for (const { dynamodb } of later.filter(mayBeRead)) again.add(dynamodb!.SequenceNumber!);
  return { batchItemFailures: [...again].map((itemIdentifier) => ({ itemIdentifier })) };
});

interface Sequenced {
  sequenceNumber: string;
}
type Change = RowChange & Sequenced;

const image = (attributes: object) => inThisFormat(unmarshall(attributes as Record<string, AttributeValue>));

const isLater = ({ dynamodb: { NewImage, OldImage } = {} }: DynamoDBRecord): boolean =>
  [NewImage, OldImage].some(
    (row) => row && isOfLaterVersion({ pk: row.pk?.S, sk: row.sk?.S, format: row.format && Number(row.format.N) }),
  );

/** Parts the records that a later version must read: its own, and those that follow it in the same partition. */
function withoutLater(all: DynamoDBRecord[]): { records: DynamoDBRecord[]; later: DynamoDBRecord[] } {
  const [records, later]: DynamoDBRecord[][] = [[], []];
  const held = new Set<string | undefined>();
  for (const record of all) {
    const pk = record.dynamodb?.Keys?.pk?.S;
    if (isLater(record)) held.add(pk);
    (held.has(pk) ? later : records)!.push(record);
  }
  return { records: records!, later: later! };
}

/** A deployment of the later version takes less. */
const deployedWithinMs = 10 * 60_000;

function mayBeRead({ dynamodb }: DynamoDBRecord): boolean {
  const writtenAt = (dynamodb!.ApproximateCreationDateTime ?? Date.now() / 1_000) * 1_000;
  if (Date.now() - writtenAt < deployedWithinMs) return true;
  log.error('a row cannot be shown', { error: 'NewerRow' });
  return false;
}

/** Returns the change of a row in a partition that begins so, with the rest of the partition's key. */
function changeIn(beginning: string, { dynamodb }: DynamoDBRecord) {
  const { NewImage, OldImage, SequenceNumber, Keys } = dynamodb ?? {};
  const [pk = '', sk = ''] = [Keys?.pk?.S, Keys?.sk?.S];
  if (!NewImage || !pk.startsWith(beginning)) return undefined;
  const change = { sk, row: image(NewImage), before: OldImage && image(OldImage), sequenceNumber: SequenceNumber! };
  return { of: pk.slice(beginning.length), change };
}

function changeOf(record: DynamoDBRecord): Change[] {
  // Memories, accounts and spending are in the same table but in no conversation.
  const found = changeIn(key.conversation(''), record);
  return found ? [{ conversationId: found.of, ...found.change }] : [];
}

/** A user's devices and settings, for example, are in no conversation. */
function userChangeOf(record: DynamoDBRecord): ChangeOfUser[] {
  const found = changeIn(key.user(''), record);
  return found ? [{ user: found.of, ...found.change }] : [];
}

/** @returns the changes to deliver again: of conversations that removed people may still follow. Of these, nothing is pushed. */
async function push(changes: Change[], more: readonly Push[]): Promise<string[]> {
  const { pushes: rows, unreadable } = broadcastOf(changes, new Date());
  for (const error of unreadable) log.error('a row cannot be shown', { error: error.name, ...originOf(error) });
  // Before anything is pushed that came after it.
  const followed = await endGuests(live, connections, changes);
  const isHeld = ({ conversationId }: { conversationId?: string }) =>
    conversationId !== undefined && followed.has(conversationId);
  const pushes = [...rows, ...more].filter((one) => !isHeld(one));
  try {
    await withinPatience(() => pushAll({ table, live }, connections, pushes), pushingMs);
  } catch (error) {
    log.error('changes were not pushed', { topics: pushes.length, error: (error as Error).name, ...originOf(error) });
  }
  return changes.filter(isHeld).map(({ sequenceNumber }) => sequenceNumber);
}

function publicationsOf(changes: Change[]): Publication[] {
  return made('an event', changes, ({ sequenceNumber, ...change }): Publication | undefined => {
    const event = finishedBy(change);
    return event && { sequenceNumber, event };
  });
}

function saidIn(changes: Change[]): NewlySaid[] {
  return made('what was said', changes, ({ sequenceNumber, ...change }): NewlySaid | undefined => {
    const said = saidBy(change);
    return said && { sequenceNumber, ...said };
  });
}

function itemsOf({ what, of, ofUser }: Listener, changes: Change[], ofUsers: ChangeOfUser[]): Heard<object>[] {
  const heard = <Of extends Sequenced>(all: Of[], make: (change: Omit<Of, 'sequenceNumber'>) => readonly object[]) =>
    made(what, all, ({ sequenceNumber, ...change }) =>
      make(change).map((item) => ({ ...item, sequenceNumber })),
    ).flat();
  return [...heard(changes, of), ...(ofUser ? heard(ofUsers, ofUser) : [])];
}

type ChangeOfUser = UserChange & Sequenced;

/** The stream delivers again from the first change that has failed, so that one and those after it are counted then. */
function countAll(changes: Change[], publications: Publication[], again: Set<string>): void {
  const first = changes.findIndex(({ sequenceNumber }) => again.has(sequenceNumber));
  const done = first < 0 ? changes : changes.slice(0, first);
  const events = new Map(publications.map(({ sequenceNumber, event }) => [sequenceNumber, event]));
  const own = (change: Change) => countedIn(change, events.get(change.sequenceNumber));
  // Apart, so that one of them that fails loses its own only.
  const counters = [own, ...modules.flatMap(({ counts }) => counts ?? [])];
  const counted = counters.flatMap((counter) => made('a metric', done, counter)).flat();
  for (const { what, values, dimensions, ids } of counted) count(what, values, dimensions, ids);
}

function made<One, Of>(what: string, changes: Of[], make: (change: Of) => One | undefined): One[] {
  return changes.flatMap((change) => {
    try {
      return make(change) ?? [];
    } catch (error) {
      // A retry would fail too, and block the shard.
      log.error(`${what} cannot be made from a row`, { error: (error as Error).name, ...originOf(error) });
      return [];
    }
  });
}
