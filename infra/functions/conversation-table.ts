import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type CfnTable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { VigilFunction } from './vigil-function';

export interface ConversationTableProps {
  deletionProtection: boolean;
}

const ownerIndex = 'byOwner';

/** All that Vigil knows: conversations, runs, messages, calls. It outlives the stack. */
export class ConversationTable extends Construct {
  readonly name: string;
  readonly streamArn: string;
  private readonly arn: string;

  constructor(scope: Construct, id: string, { deletionProtection }: ConversationTableProps) {
    super(scope, id);
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Seconds since 1970, for rows that may go. A callback's `expiresAt` is no such time: the row stays.
      timeToLiveAttribute: 'ttl',
      // What is finished now and was not before shows in both pictures of a row.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      removalPolicy: RemovalPolicy.RETAIN,
      deletionProtection,
    });
    // Only conversations carry an owner, so the index holds nothing else, and of them what a list shows.
    table.addGlobalSecondaryIndex({
      indexName: ownerIndex,
      partitionKey: { name: 'owner', type: AttributeType.STRING },
      sortKey: { name: 'updatedAt', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [
        ...['conversationId', 'version', 'title', 'agent', 'parentId', 'createdAt'],
        ...['status', 'waitsFor', 'until'],
      ],
    });
    (table.node.defaultChild as CfnTable).overrideLogicalId('ConversationTable');
    this.name = table.tableName;
    this.arn = table.tableArn;
    this.streamArn = table.tableStreamArn ?? '';
  }

  /** Exact actions. A transaction needs no right of its own, only those of its parts. */
  grant(fn: VigilFunction, ...actions: TableAction[]): void {
    fn.allow([this.arn], ...actions.map((action) => `dynamodb:${action}`));
  }

  grantListByOwner(fn: VigilFunction): void {
    fn.allow([`${this.arn}/index/${ownerIndex}`], 'dynamodb:Query');
  }

  grantReadStream(fn: VigilFunction): void {
    fn.allow([this.streamArn], 'dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator');
    // Asked of the table's streams as a whole when the mapping is made.
    fn.allow([`${this.arn}/stream/*`], 'dynamodb:ListStreams');
    Validations.of(fn.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::<ConversationTable.Arn>/stream/*]',
      reason: 'Any stream of this one table: dynamodb:ListStreams is not asked of a single one.',
    });
  }
}

export type TableAction = 'GetItem' | 'Query' | 'PutItem' | 'UpdateItem';
