const names = (text: string) => text.split(' ').map((name) => `${name}Exception`);

/**
 * The errors that each service's API declares. AWS's SDK for Java throws these under their own names and everything else,
 * `ValidationException` for instance, under the client's one: that is what a state machine sees.
 */
const declared: Record<string, readonly string[]> = {
  dynamodb: names(
    'BackupInUse BackupNotFound ConditionalCheckFailed ContinuousBackupsUnavailable DuplicateItem ' +
      'ExportConflict ExportNotFound GlobalTableAlreadyExists GlobalTableNotFound ' +
      'IdempotentParameterMismatch ImportConflict ImportNotFound IndexNotFound InternalServerError ' +
      'InvalidEndpoint InvalidExportTime InvalidRestoreTime ItemCollectionSizeLimitExceeded LimitExceeded ' +
      'PointInTimeRecoveryUnavailable PolicyNotFound ProvisionedThroughputExceeded ReplicaAlreadyExists ' +
      'ReplicaNotFound ReplicatedWriteConflict RequestLimitExceeded ResourceInUse ResourceNotFound ' +
      'TableAlreadyExists TableInUse TableNotFound Throttling TransactionCanceled TransactionConflict ' +
      'TransactionInProgress',
  ),
  events: names(
    'AccessDenied ConcurrentModification IllegalStatus Internal InvalidEventPattern InvalidState ' +
      'LimitExceeded ManagedRule OperationDisabled PolicyLengthExceeded ResourceAlreadyExists ' +
      'ResourceNotFound Throttling',
  ),
  lambda: names(
    'AliasLimitExceeded CallbackTimeout CapacityProviderLimitExceeded CodeArtifactUserDeleted ' +
      'CodeArtifactUserFailed CodeArtifactUserPending CodeSigningConfigNotFound CodeStorageExceeded ' +
      'CodeVerificationFailed DurableExecutionAlreadyStarted EC2AccessDenied EC2Throttled EC2Unexpected ' +
      'EFSIO EFSMountConnectivity EFSMountFailure EFSMountTimeout ENILimitReached ENINotReady ' +
      'FunctionVersionsPerCapacityProviderLimitExceeded InvalidCodeSignature InvalidParameterValue ' +
      'InvalidRequestContent InvalidRuntime InvalidSecurityGroupID InvalidSubnetID InvalidZipFile ' +
      'KMSAccessDenied KMSDisabled KMSInvalidState KMSNotFound ModeNotSupported NoPublishedVersion ' +
      'PolicyLengthExceeded PreconditionFailed ProvisionedConcurrencyConfigNotFound PublicPolicy ' +
      'RecursiveInvocation RequestTooLarge ResourceConflict ResourceInUse ResourceNotFound ResourceNotReady ' +
      'S3FilesMountConnectivity S3FilesMountFailure S3FilesMountTimeout SerializedRequestEntityTooLarge ' +
      'Service ServiceQuotaExceeded SnapStart SnapStartNotReady SnapStartRegenerationFailure ' +
      'SnapStartTimeout SubnetIPAddressLimitReached TooManyRequests UnsupportedMediaType',
  ),
  s3: names(
    'BucketAlreadyExists BucketAlreadyOwnedByYou EncryptionTypeMismatch IdempotencyParameterMismatch ' +
      'InvalidObjectState InvalidRequest InvalidWriteOffset NoSuchBucket NoSuchKey NoSuchUpload ' +
      'ObjectAlreadyInActiveTierError ObjectNotInActiveTierError TooManyParts',
  ),
  secretsmanager: names(
    'DecryptionFailure EncryptionFailure InternalServiceError InvalidNextToken InvalidParameter ' +
      'InvalidRequest LimitExceeded MalformedPolicyDocument PreconditionNotMet PublicPolicy ResourceExists ' +
      'ResourceNotFound',
  ),
  sns: names(
    'AuthorizationError BatchEntryIdsNotDistinct BatchRequestTooLong ConcurrentAccess EmptyBatchRequest ' +
      'EndpointDisabled FilterPolicyLimitExceeded InternalError InvalidBatchEntryId InvalidParameter ' +
      'InvalidParameterValue InvalidSecurity InvalidState KMSAccessDenied KMSDisabled KMSInvalidState ' +
      'KMSNotFound KMSOptInRequired KMSThrottling NotFound OptedOut PlatformApplicationDisabled ' +
      'ReplayLimitExceeded ResourceNotFound StaleTag SubscriptionLimitExceeded TagLimitExceeded TagPolicy ' +
      'Throttled TooManyEntriesInBatchRequest TopicLimitExceeded UserError Validation Verification',
  ),
  sqs: names(
    'BatchEntryIdsNotDistinct BatchRequestTooLong EmptyBatchRequest InvalidAddress InvalidAttributeName ' +
      'InvalidAttributeValue InvalidBatchEntryId InvalidIdFormat InvalidMessageContents InvalidSecurity ' +
      'KmsAccessDenied KmsDisabled KmsInvalidKeyUsage KmsInvalidState KmsNotFound KmsOptInRequired ' +
      'KmsThrottled MessageNotInflight OverLimit PurgeQueueInProgress QueueDeletedRecently ' +
      'QueueDoesNotExist QueueNameExists ReceiptHandleIsInvalid RequestThrottled ResourceNotFound ' +
      'TooManyEntriesInBatchRequest UnsupportedOperation',
  ),
};

/** Codes that say the same by another name. */
const synonyms: Record<string, string> = {
  'AWS.SimpleQueueService.NonExistentQueue': 'QueueDoesNotExistException',
  NotFound: 'NotFoundException',
  InvalidParameter: 'InvalidParameterException',
};

/** The name of an error's class: one that the service declares, or else `other`. */
export function errorClass(service: string, code: string, other: string): string {
  const name = synonyms[code] ?? (code.endsWith('Exception') ? code : `${code}Exception`);
  return declared[service]?.includes(name) ? name : other;
}
