import { Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  type IBucket,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { ConfigurationError } from '../../core/base/text/errors';
import type { VigilFunction } from '../functions/vigil-function';
import { sharedBy } from '../shared';
import { stateful } from '../stateful';

export interface FileBucketProps {
  /** A bucket of the app, which is used as it is. */
  existing?: IBucket;
  /** Origins of the pages that upload and download. */
  origins: string[];
}

/** Objects of the deployment begin with it, and its functions have rights to no others. */
const objects = 'files/*';

export type FileAction = 'GetObject' | 'PutObject' | 'DeleteObject';

/**
 * Holds the bytes of conversations' files (`core/conversations/files/file-store.ts`). People reach them by signed
 * addresses alone. It is retained when the stack is deleted, but not when its creation is rolled back.
 */
export class FileBucket extends Construct {
  /** For the functions that read or write files. */
  readonly variables: Record<string, string>;
  /** The origin of signed addresses. */
  readonly origin: string;
  private readonly bucket: IBucket;
  private readonly encryptionKey?: IKey;

  /** @throws ConfigurationError for a bucket whose name TLS certificates do not cover. */
  constructor(scope: Construct, id: string, { existing, origins }: FileBucketProps) {
    super(scope, id);
    this.bucket = existing ?? this.create(origins);
    const { bucketName } = this.bucket;
    if (!Token.isUnresolved(bucketName) && bucketName.includes('.'))
      throw new ConfigurationError(`files.bucket: the bucket ${bucketName} has a dot in its name: use one without.`);
    this.encryptionKey = this.bucket.encryptionKey;
    this.variables = { FILES_BUCKET: bucketName };
    this.origin = `https://${this.bucket.bucketRegionalDomainName}`;
  }

  private create(origins: string[]): Bucket {
    const { encryptionKey } = sharedBy(this);
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      encryption: encryptionKey ? BucketEncryption.KMS : BucketEncryption.S3_MANAGED,
      // One call of KMS serves many objects.
      ...(encryptionKey && { encryptionKey, bucketKeyEnabled: true }),
      lifecycleRules: [{ id: 'UnfinishedUploads', abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      ...(origins.length > 0 && { cors: [corsRule(origins)] }),
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    // Pinned now, because acknowledgements name it.
    (bucket.node.defaultChild as CfnBucket).overrideLogicalId(stateful['Files/Bucket']!);
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only functions sign addresses, and the API’s access log records who asked for one.',
    });
    return bucket;
  }

  /** Allows exactly these actions, on the objects of files. */
  grant(fn: VigilFunction, ...actions: FileAction[]): void {
    const writes = actions.includes('PutObject');
    if (writes) this.encryptionKey?.grantEncryptDecrypt(fn);
    else if (actions.includes('GetObject')) this.encryptionKey?.grantDecrypt(fn);
    fn.allow([this.bucket.arnForObjects(objects)], ...actions.map((action) => `s3:${action}`));
    // Without it, S3 does not tell a missing object from a forbidden one: both are 403.
    if (actions.includes('GetObject')) fn.allow([this.bucket.bucketArn], 's3:ListBucket');
    const arn: unknown = Stack.of(this).resolve(this.bucket.bucketArn);
    Validations.of(fn.role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${shown(arn)}/${objects}]`,
      reason: 'Objects are named by their digests, which nobody knows before.',
    });
  }
}

/** Returns a value of a template as the security rules name it: `<FilesBucket.Arn>`, `arn:<AWS::Partition>:s3:::ours`. */
function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Record<string, unknown>;
  if (Ref) return `<${Ref}>`;
  if (attribute) return `<${(attribute as string[]).join('.')}>`;
  if (!join) return JSON.stringify(value);
  const [delimiter, parts] = join as [string, unknown[]];
  return parts.map(shown).join(delimiter);
}

/**
 * What a page needs to send the headers of a signed upload, and to read a download in parts. The browser sets
 * `content-length` itself.
 */
const corsRule = (allowedOrigins: string[]) => ({
  allowedOrigins,
  allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
  allowedHeaders: ['content-type', 'x-amz-checksum-sha256', 'range'],
  exposedHeaders: ['accept-ranges', 'content-range', 'etag'],
  maxAge: Duration.hours(1).toSeconds(),
});

/**
 * Returns the origins of the deployment's pages. CloudFront's own name for the hosted page is known after the page only,
 * whose security policy names the bucket. So any page of CloudFront may use a signed address, if it has one.
 */
export const pageOrigins = (webOrigins: string[], page?: { domain?: string }): string[] =>
  page ? [...webOrigins, `https://${page.domain ?? '*.cloudfront.net'}`] : webOrigins;
