import { memberKey, type Shape } from './result-shape';

const text = (least?: number, most?: number): Shape => ({ kind: 'string', least, most });
const number = (least?: number, most?: number): Shape => ({ kind: 'number', least, most });
const oneOf = (values: string): Shape => ({ kind: 'string', oneOf: values.split(' ') });
const list = (member: Shape): Shape => ({ kind: 'list', member: () => member });
const flag: Shape = { kind: 'boolean' };

type Fields = Record<string, Shape>;

const object = (fields: Fields): Shape => {
  const members = new Map(Object.entries(fields).map(([name, shape]) => [memberKey(name), shape]));
  return { kind: 'structure', required: [], member: (name) => members.get(memberKey(name)) };
};
const texts = (names: string): Fields => Object.fromEntries(names.split(' ').map((name) => [name, text()]));

/** Values and lengths of fields whose type a client knows, by service and shape. From the services' API references. */
export const constraints: Record<string, Fields> = {
  'lambda:FunctionConfiguration': {
    MemorySize: number(128, 10240),
    Timeout: number(1),
    PackageType: oneOf('Zip Image'),
    State: oneOf('Pending Active Inactive Failed Deactivating Deactivated ActiveNonInvocable Deleting'),
    LastUpdateStatus: oneOf('Successful Failed InProgress'),
    Architectures: list(oneOf('x86_64 arm64')),
  },
  'lambda:TracingConfigResponse': { Mode: oneOf('Active PassThrough') },
  'lambda:EphemeralStorage': { Size: number(512, 10240) },
  'lambda:Concurrency': { ReservedConcurrentExecutions: number(0) },
  'secretsmanager:GetSecretValueResponse': {
    ARN: text(20, 2048),
    Name: text(1, 256),
    SecretString: text(1, 65536),
    VersionId: text(32, 64),
  },
  'sfn:StartExecutionOutput': { executionArn: text(1, 256) },
  'sfn:DescribeExecutionOutput': {
    executionArn: text(1, 256),
    stateMachineArn: text(1, 256),
    name: text(1, 80),
    status: oneOf('RUNNING SUCCEEDED FAILED TIMED_OUT ABORTED PENDING_REDRIVE'),
  },
};

const encryption = oneOf('AES256 aws:fsx aws:backup aws:kms aws:kms:dsse');
const checksums = texts('ChecksumCRC32 ChecksumCRC32C ChecksumCRC64NVME ChecksumSHA1 ChecksumSHA256');
const written: Fields = {
  ...checksums,
  ...texts('ETag Expiration VersionId SSECustomerAlgorithm SSECustomerKeyMD5 SSEKMSKeyId SSEKMSEncryptionContext'),
  ChecksumType: oneOf('COMPOSITE FULL_OBJECT'),
  ServerSideEncryption: encryption,
  BucketKeyEnabled: flag,
  RequestCharged: oneOf('requester'),
};
const storageClasses =
  'STANDARD REDUCED_REDUNDANCY STANDARD_IA ONEZONE_IA INTELLIGENT_TIERING GLACIER DEEP_ARCHIVE OUTPOSTS GLACIER_IR SNOW ' +
  'EXPRESS_ONEZONE FSX_OPENZFS FSX_ONTAP';
const read: Fields = {
  ...written,
  ...texts('AcceptRanges CacheControl ContentDisposition ContentEncoding ContentLanguage ContentRange ContentType'),
  ...texts('Expires LastModified Restore WebsiteRedirectLocation ObjectLockRetainUntilDate'),
  ContentLength: number(),
  DeleteMarker: flag,
  Metadata: { kind: 'map', member: () => text() },
  MissingMeta: number(),
  ObjectLockLegalHoldStatus: oneOf('ON OFF'),
  ObjectLockMode: oneOf('GOVERNANCE COMPLIANCE'),
  PartsCount: number(),
  ReplicationStatus: oneOf('COMPLETE PENDING FAILED REPLICA COMPLETED'),
  StorageClass: oneOf(storageClasses),
  TagCount: number(),
};
const listed: Fields = {
  ...texts('Delimiter EncodingType Name Prefix'),
  CommonPrefixes: list(object(texts('Prefix'))),
  Contents: list(object({ ...texts('ETag Key LastModified'), Size: number(), StorageClass: oneOf(storageClasses) })),
  IsTruncated: flag,
  MaxKeys: number(),
};
const key = text(1, 2048);
const blob = text(1, 6144);

/** What operations answer whose service the project has no client of. */
export const otherModels: Record<string, Shape> = {
  's3:GetObject': object({ ...read, Body: text() }),
  's3:HeadObject': object(read),
  's3:PutObject': object({ ...written, Size: number() }),
  's3:ListObjects': object({ ...listed, ...texts('Marker NextMarker') }),
  's3:ListObjectsV2': object({
    ...listed,
    ...texts('ContinuationToken NextContinuationToken StartAfter'),
    KeyCount: number(),
  }),
  's3:ListBuckets': object({ Buckets: list(object(texts('BucketArn BucketRegion CreationDate Name'))) }),
  'sqs:SendMessage': object(
    texts('MD5OfMessageAttributes MD5OfMessageBody MD5OfMessageSystemAttributes MessageId SequenceNumber'),
  ),
  'kms:Encrypt': object({
    CiphertextBlob: blob,
    KeyId: key,
    EncryptionAlgorithm: oneOf('SYMMETRIC_DEFAULT RSAES_OAEP_SHA_1 RSAES_OAEP_SHA_256 SM2PKE'),
  }),
  'kms:Decrypt': object({
    Plaintext: text(1, 4096),
    KeyId: key,
    EncryptionAlgorithm: oneOf('SYMMETRIC_DEFAULT RSAES_OAEP_SHA_1 RSAES_OAEP_SHA_256 SM2PKE'),
  }),
  'kms:GenerateDataKey': object({ CiphertextBlob: blob, Plaintext: text(1, 4096), KeyId: key }),
};
