import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { assertPattern, type Pattern } from '../events/event-pattern';
import { findFunction } from '../lambda/function-name';
import type { Lambda } from '../lambda/lambda';
import type { Resource, Template } from '../template/template';
import type { Undelivered } from '../undelivered';
import type { DynamodbClient } from './client';
import { type DeliveryOptions, deliver } from './stream-delivery';
import { openStreamReader, type StreamReader } from './stream-reader';
import { newWakeSignal, type WakeSignal } from './wake-signal';

/**
 * The event source mappings of the template. Each delivers a table's changes to a function, in order, at least once.
 */
export interface Streams {
  /** Reports a write, so that the streams are read now. Without it, a stream is read once a second. */
  wake(): void;
  /** Whether everything written is delivered, as far as is known. */
  idle(): boolean;
  /** Switches to the mappings of this template. Unchanged mappings continue undisturbed. */
  deploy(next: Mapped): Promise<void>;
  stop(): Promise<void>;
}

type Mapped = Pick<StreamsOptions, 'template' | 'newTables' | 'authorize' | 'undelivered'>;

export interface StreamsOptions {
  template: Template;
  client: DynamodbClient;
  lambda: Lambda;
  stateDirectory: string;
  /** Tables created at this start. Their mappings read from the beginning, even with LATEST. */
  newTables: ReadonlySet<string>;
  /** Throws if the function's role may not do this with the stream. */
  authorize: (lambda: Resource, action: string, streamArn: string) => void;
  undelivered: Undelivered;
  log: (line: string) => void;
}

/**
 * Many writes come at once, so they are gathered before a read. This is still ten times as often as Lambda reads a stream
 * on AWS.
 */
const gatherMs = 25;
/** A read takes longer the more records the stream has kept, and the table's engine does one thing at a time: reading gets a fifth of it. */
const gatherPerRead = 4;
const longestGatherMs = 1_000;
const readActions = ['dynamodb:DescribeStream', 'dynamodb:GetShardIterator', 'dynamodb:GetRecords'];

export async function startStreams(options: StreamsOptions): Promise<Streams> {
  let pumps: Pump[] = [];
  await deploy(options);
  return {
    wake: () => {
      for (const pump of pumps) pump.wake();
    },
    idle: () => pumps.every((pump) => pump.idle()),
    deploy,
    stop: async () => {
      await Promise.all(pumps.map((pump) => pump.stop()));
    },
  };

  async function deploy(next: Mapped): Promise<void> {
    const mappings = next.template
      .ofType('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => properties.Enabled !== false);
    const pumpOf = (mapping: Resource) => pumps.find((pump) => isDeepStrictEqual(pump.mapping, mapping));
    const kept = mappings.map(pumpOf).filter((pump) => pump !== undefined);
    const missing = mappings.filter((mapping) => !pumpOf(mapping));
    const changed = pumps.filter((pump) => !kept.includes(pump));
    pumps = kept;
    // Two readers of one stream would overwrite each other's position, so the old one stops first.
    await Promise.all(changed.map((pump) => pump.stop()));
    pumps = [...kept, ...(await Promise.all(missing.map((mapping) => startPump(mapping, { ...options, ...next }))))];
  }
}

interface Pump {
  mapping: Resource;
  wake(): void;
  idle(): boolean;
  stop(): Promise<void>;
}

type Delivery = Omit<DeliveryOptions, 'shardId'>;

async function startPump(mapping: Resource, options: StreamsOptions): Promise<Pump> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const { BatchSize = 100, EventSourceArn, StartingPosition } = mapping.properties;
  const streamArn = String(EventSourceArn);
  const table = options.template
    .ofType('AWS::DynamoDB::Table')
    .find(({ attributes }) => attributes.StreamArn === streamArn);
  if (!table) throw new Error(`The local cloud maps streams of the template's own tables only (${mapping.logicalId}).`);
  const delivery = deliveryOf(mapping, options, signal);
  const reader = await openStreamReader({
    client: options.client,
    table: table.ref,
    file: join(options.stateDirectory, `stream-${mapping.logicalId}.json`),
    start: options.newTables.has(table.ref) || StartingPosition !== 'LATEST' ? 'TRIM_HORIZON' : 'LATEST',
  });
  const news = newWakeSignal();
  const ended = pump(reader, Number(BatchSize), streamArn, delivery, news).catch((error: Error) => {
    if (!signal.aborted) options.log(`Stopped reading the stream of ${table.ref}: ${error.message}`);
  });
  return {
    mapping,
    wake: news.wake,
    idle: news.isIdle,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function pump(
  reader: StreamReader,
  batchSize: number,
  streamArn: string,
  delivery: Delivery,
  news: WakeSignal,
): Promise<void> {
  const { log, signal } = delivery;
  while (!signal.aborted) {
    news.clear();
    let tookMs = 0;
    try {
      const began = performance.now();
      const batches = await reader.read(batchSize);
      tookMs = performance.now() - began;
      for (const { shardId, records } of batches) {
        const named = records.map((record) => ({ ...record, eventSourceARN: streamArn }));
        await deliver(named, { ...delivery, shardId }, reader.progress(shardId));
      }
      // If no batch was full, there is nothing more to read, and the next write wakes this loop.
      if (batches.some(({ records }) => records.length === batchSize)) continue;
    } catch (error) {
      if (signal.aborted) return;
      log(`Could not read a stream, retrying: ${(error as Error).message}`);
    }
    await news.wait(signal);
    const gather = Math.min(Math.max(gatherMs, tookMs * gatherPerRead), longestGatherMs);
    await sleep(gather, undefined, { signal }).catch(() => undefined);
  }
}

function deliveryOf(
  mapping: Resource,
  { template, lambda, authorize, undelivered, log }: StreamsOptions,
  signal: AbortSignal,
): Delivery {
  const { properties, logicalId } = mapping;
  const target = findFunction(template.ofType('AWS::Lambda::Function'), String(properties.FunctionName));
  if (!target) throw new Error(`The mapping ${logicalId} names a function that is not in the template.`);
  for (const action of readActions) authorize(target, action, String(properties.EventSourceArn));
  const criteria = (properties.FilterCriteria ?? {}) as { Filters?: { Pattern: string }[] };
  const filters = (criteria.Filters ?? []).map(({ Pattern }) => JSON.parse(Pattern) as Pattern);
  for (const filter of filters) assertPattern(filter, logicalId);
  return {
    lambda,
    functionArn: String(target.attributes.Arn),
    filters,
    bisect: properties.BisectBatchOnFunctionError === true,
    reportsFailures: ((properties.FunctionResponseTypes ?? []) as string[]).includes('ReportBatchItemFailures'),
    maxRetries: Number(properties.MaximumRetryAttempts ?? -1),
    maxAgeSeconds: Number(properties.MaximumRecordAgeInSeconds ?? -1),
    onFailure: undelivered.destinationOf(mapping, target),
    log,
    signal,
  };
}
