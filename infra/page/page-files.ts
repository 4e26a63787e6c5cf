import { type CfnElement, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, type ISource, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { logGroup } from '../functions/log-group';
import { stateful } from '../stateful';
import { type Theme, themeCss } from './theme';

export interface PageFilesProps {
  /** The folder of the built page. */
  folder: string;
  /** The content of `/config.json`: what the page needs to know about this deployment. */
  config: Record<string, unknown>;
  /** Replaces the page's `theme.css`. */
  theme?: Theme;
}

/** The page's files, in a private bucket. */
export class PageFiles extends Construct {
  readonly bucket: Bucket;
  private readonly log: LogGroup;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // A build recreates the content.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Pinned now, because the acknowledgement below names it.
    (this.bucket.node.defaultChild as CfnBucket).overrideLogicalId(stateful['Page/Files/Bucket']!);
    this.log = logGroup(this, 'Log');
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only CloudFront reads it, and what it holds is public.',
    });
  }

  /**
   * Uploads files named by their content first, which browsers cache, then the files that name them, which browsers
   * always revalidate. Files of earlier builds are kept for open tabs until the stack is deleted.
   */
  deploy({ folder, config, theme }: PageFilesProps): void {
    const assets = 'assets/*';
    const page = Source.asset(folder, { exclude: ['*.sha256', ...(theme ? ['theme.css'] : [])] });
    const immutable = CacheControl.fromString('public, max-age=31536000, immutable');
    const first = this.copy('Assets', [page], immutable, { exclude: ['*'], include: [assets] });
    const configured = [
      page,
      Source.jsonData('config.json', config),
      ...(theme ? [Source.data('theme.css', themeCss(theme))] : []),
    ];
    const second = this.copy('Entry', configured, CacheControl.noCache(), { exclude: [assets] });
    second.node.addDependency(first);
    this.acknowledge(second);
  }

  /**
   * The CDK's own function copies the files, with the rights that the CDK grants: on this bucket and on that of its
   * assets.
   */
  private acknowledge({ handlerRole }: BucketDeployment): void {
    const { synthesizer } = Stack.of(this);
    const bucket = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnElement);
    const objects = [
      `arn:<AWS::Partition>:s3:::cdk-${synthesizer.bootstrapQualifier}-assets-<AWS::AccountId>-<AWS::Region>/*`,
      `<${bucket}.Arn>/*`,
    ];
    const actions = ['GetObject*', 'GetBucket*', 'List*', 'DeleteObject*', 'Abort*'];
    const wildcards = [...objects.map((arn) => `Resource::${arn}`), ...actions.map((action) => `Action::s3:${action}`)];
    const logs = 'Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole';
    const reason = 'The CDK’s own function for deployments, as the CDK creates it; it runs only during a deployment.';
    const ids = ['L1', `IAM4[${logs}]`, ...wildcards.map((wildcard) => `IAM5[${wildcard}]`)];
    Validations.of(handlerRole.node.scope!).acknowledge(...ids.map((id) => ({ id: `AwsSolutions-${id}`, reason })));
  }

  private copy(id: string, sources: ISource[], cacheControl: CacheControl, which: object): BucketDeployment {
    return new BucketDeployment(this, id, {
      sources,
      destinationBucket: this.bucket,
      cacheControl: [cacheControl],
      ...which,
      prune: false,
      retainOnDelete: false,
      logGroup: this.log,
    });
  }
}
