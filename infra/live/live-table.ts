import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type CfnTable, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { VigilFunction } from '../functions/vigil-function';
import { sharedBy } from '../shared';

/** Tickets, connections and subscriptions, and which spans were sent. Losing it costs only the open connections, and that spans may be sent again. */
export class LiveTable extends Construct {
  readonly name: string;
  private readonly arn: string;
  private readonly encryptionKey?: IKey;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { encryptionKey } = sharedBy(this);
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: encryptionKey ? TableEncryption.CUSTOMER_MANAGED : TableEncryption.AWS_MANAGED,
      encryptionKey,
      timeToLiveAttribute: 'ttl',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    (table.node.defaultChild as CfnTable).overrideLogicalId('LiveTable');
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason: 'Its rows are made again, or say what need not be sent again: there is nothing to recover.',
    });
    this.name = table.tableName;
    this.arn = table.tableArn;
    this.encryptionKey = encryptionKey;
  }

  /** Allows exactly these actions, as in the conversation table. */
  grant(fn: VigilFunction, ...actions: ('GetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem')[]): void {
    this.encryptionKey?.grantEncryptDecrypt(fn);
    fn.allow([this.arn], ...actions.map((action) => `dynamodb:${action}`));
  }
}
