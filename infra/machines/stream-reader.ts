import { Duration } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ConversationTable } from '../functions/conversation-table';
import type { VigilFunction } from '../functions/vigil-function';
import { addAlarm } from '../watch/alarm';
import type { Undelivered } from './undelivered';

export interface StreamReaderProps {
  table: ConversationTable;
  reader: VigilFunction;
  /** The changes that invoke the reader, in the syntax of Lambda's event filters. */
  filter: Record<string, unknown>;
  undelivered: Undelivered;
}

/**
 * Invokes a function with the conversation table's changes in order, and again with those that it reports as failed.
 */
export class StreamReader extends Construct {
  constructor(scope: Construct, id: string, { table, reader, filter, undelivered }: StreamReaderProps) {
    super(scope, id);
    table.grantReadStream(reader);
    new EventSourceMapping(this, 'Default', {
      target: reader,
      eventSourceArn: table.streamArn,
      // Includes the changes written before the mapping is active.
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(filter)],
      batchSize: 100,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // As long as asynchronous events wait for capacity. A record that always fails blocks its shard no longer than that.
      maxRecordAge: Duration.hours(6),
      onFailure: undelivered.of(reader),
    });
    addAlarm(this, 'Behind', {
      title: `${reader.node.id}Behind`,
      description: `${reader.node.id} is ten minutes behind the table. It gives up changes that are older than six hours.`,
      metric: reader.metric('IteratorAge', { statistic: 'Maximum', period: Duration.minutes(5) }),
      from: Duration.minutes(10).toMilliseconds(),
    });
  }
}
