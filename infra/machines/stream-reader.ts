import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ConversationTable } from '../functions/conversation-table';
import type { VigilFunction } from '../functions/vigil-function';
import { addAlarm } from './alarm';
import type { Undelivered } from './undelivered';

export interface StreamReaderProps {
  table: ConversationTable;
  reader: VigilFunction;
  /** Which changes wake the reader, as Lambda's filters say it. */
  filter: Record<string, unknown>;
  undelivered: Undelivered;
}

/** Shows a function the conversation table's changes in their order, and again what it reports as failed. */
export class StreamReader extends Construct {
  constructor(scope: Construct, id: string, { table, reader, filter, undelivered }: StreamReaderProps) {
    super(scope, id);
    table.grantReadStream(reader);
    new EventSourceMapping(this, 'Default', {
      target: reader,
      eventSourceArn: table.streamArn,
      // What was written before the mapping works is shown, too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(filter)],
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // An outage of an hour loses nothing; a record that can never be served holds up its shard no longer than that.
      maxRecordAge: Duration.hours(1),
      onFailure: undelivered.of(reader),
    });
    addAlarm(this, 'Behind', {
      description: `${reader.node.id} is ten minutes behind the table. What it has not done after an hour is given up.`,
      metric: reader.metric('IteratorAge'),
      from: Duration.minutes(10).toMilliseconds(),
    });
  }
}
