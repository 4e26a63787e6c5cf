import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type CfnTable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';

/** Who looks on: tickets, connections, subscriptions. Nothing in it is worth more than the connections that it speaks of. */
export class LiveTable extends Construct {
  readonly name: string;
  private readonly arn: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      timeToLiveAttribute: 'ttl',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    (table.node.defaultChild as CfnTable).overrideLogicalId('LiveTable');
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Its rows live for two hours at most, and clients make them anew: there is nothing to recover.',
    });
    this.name = table.tableName;
    this.arn = table.tableArn;
  }

  /** Exact actions, as for the conversations' table. */
  grant(fn: VigilFunction, ...actions: ('GetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[]): void {
    fn.allow([this.arn], ...actions.map((action) => `dynamodb:${action}`));
  }
}
