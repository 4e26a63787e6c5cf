import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type CfnTable,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { ConfigurationError } from '../../core/base/text/errors';
import { key } from '../../core/conversations/rows/keys';
import { openIndex, openList } from '../../core/conversations/rows/open-lists';
import { listedAttributes } from '../../core/conversations/rows/owned';
import { byProtection } from '../protection';
import { sharedBy } from '../shared';
import type { VigilFunction } from './vigil-function';

export interface ConversationTableProps {
  /** A table of the app. It must have the keys, the indexes and the stream of the one below. */
  existing?: ITable;
}

const ownerIndex = 'byOwner';

/**
 * Holds all conversations, runs, messages and calls. It is retained when the stack is deleted, but not when its creation
 * is rolled back.
 */
export class ConversationTable extends Construct {
  readonly name: string;
  readonly streamArn: string;
  private readonly arn: string;
  private readonly encryptionKey?: IKey;

  constructor(scope: Construct, id: string, { existing }: ConversationTableProps) {
    super(scope, id);
    const table = existing ?? this.create();
    this.name = table.tableName;
    this.arn = table.tableArn;
    this.encryptionKey = table.encryptionKey;
    this.streamArn = streamOf(table);
  }

  private create(): Table {
    const { deletionProtection, encryptionKey } = sharedBy(this);
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: encryptionKey ? TableEncryption.CUSTOMER_MANAGED : TableEncryption.AWS_MANAGED,
      encryptionKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      // Seconds since 1970, only in rows that may expire. A callback's `expiresAt` is not a TTL: its row stays.
      timeToLiveAttribute: 'ttl',
      // Broadcast compares both images to find what has just finished.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const resource = table.node.defaultChild as CfnTable;
    resource.addPropertyOverride('DeletionProtectionEnabled', byProtection(deletionProtection, true, false));
    // Only META rows have an owner, so the index holds conversations alone, with the attributes that a list shows.
    table.addGlobalSecondaryIndex({
      indexName: ownerIndex,
      partitionKey: { name: 'owner', type: AttributeType.STRING },
      sortKey: { name: 'updatedAt', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: listedAttributes,
    });
    // Only rows that are open have `openFor` (`core/conversations/store/open.ts`), so the index holds nothing else.
    table.addGlobalSecondaryIndex({
      indexName: openIndex,
      partitionKey: { name: 'openFor', type: AttributeType.STRING },
      sortKey: { name: 'openSince', type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ['kind', 'expiresAt'],
    });
    return table;
  }

  /**
   * Allows exactly these actions, in exactly these partitions. A transaction needs only the rights of its parts.
   *
   * @param prefixes of the partition keys. All keys of a request must match. A request without keys, such as a Scan,
   *   would match as well, so `Null` refuses it.
   */
  grant(fn: VigilFunction, prefixes: readonly string[], ...actions: TableAction[]): void {
    this.encryptionKey?.grantEncryptDecrypt(fn);
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: actions.map((action) => `dynamodb:${action}`),
        resources: [this.arn],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /** Allows listing what belongs to a user, and what waits for one. */
  grantLists(fn: VigilFunction): void {
    fn.allow(
      [ownerIndex, openIndex].map((index) => `${this.arn}/index/${index}`),
      'dynamodb:Query',
    );
  }

  /** Allows listing users' timers, and nothing else of what is open. */
  grantTimers(fn: VigilFunction): void {
    fn.role.addToPolicy(
      new PolicyStatement({
        actions: ['dynamodb:Query'],
        resources: [`${this.arn}/index/${openIndex}`],
        conditions: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${openList.timers('')}*`] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    );
  }

  /** Allows finding all that is open, and when the table was created. The index has keys, kinds and times, and no person's words. */
  grantSweep(fn: VigilFunction): void {
    fn.allow([`${this.arn}/index/${openIndex}`], 'dynamodb:Scan');
    fn.allow([this.arn], 'dynamodb:DescribeTable');
  }

  grantReadStream(fn: VigilFunction): void {
    this.encryptionKey?.grantDecrypt(fn);
    fn.allow([this.streamArn], 'dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator');
    // IAM checks ListStreams against all of the table's streams when the event source mapping is created.
    fn.allow([`${this.arn}/stream/*`], 'dynamodb:ListStreams');
    Validations.of(fn.role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::<ConversationTable.Arn>/stream/*]',
      reason: 'All streams of this one table: dynamodb:ListStreams does not apply to a single stream.',
    });
  }
}

function streamOf({ tableStreamArn }: ITable): string {
  if (tableStreamArn) return tableStreamArn;
  throw new ConfigurationError(
    'table: it has no stream: import it with tableStreamArn, and turn on new and old images.',
  );
}

/** The prefixes of the partitions of conversations, of a user's memories, of a user's counts and spending, of a user's files, of the vectors of what was said to a user, of what is shared, of Vigil's own progress, and of replies in the background. */
export const partition = {
  conversations: key.conversation(''),
  users: key.user(''),
  counts: key.counted(''),
  files: key.filesOf(''),
  said: key.saidTo(''),
  shared: key.sharedWith(''),
  own: key.own,
  replies: key.replies,
};

/** All that functions do with rows. No function deletes one. */
export const tableActions = ['GetItem', 'Query', 'PutItem', 'UpdateItem'] as const;
export type TableAction = (typeof tableActions)[number];
