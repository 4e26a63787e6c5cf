/**
 * The errors that each service's API declares. AWS's SDK for Java throws these under their own names and everything else,
 * `ValidationException` for instance, under the client's one: that is what a state machine sees.
 */
const declared: Record<string, readonly string[]> = {
  dynamodb: [
    'ConditionalCheckFailedException',
    'InternalServerErrorException',
    'ItemCollectionSizeLimitExceededException',
    'ProvisionedThroughputExceededException',
    'RequestLimitExceededException',
    'ResourceInUseException',
    'ResourceNotFoundException',
    'TransactionCanceledException',
    'TransactionConflictException',
  ],
  sqs: ['InvalidMessageContentsException', 'QueueDoesNotExistException', 'UnsupportedOperationException'],
  sns: [
    'AuthorizationErrorException',
    'EndpointDisabledException',
    'InternalErrorException',
    'InvalidParameterException',
    'NotFoundException',
    'PlatformApplicationDisabledException',
  ],
  events: ['InternalException', 'ResourceNotFoundException'],
  s3: ['BucketAlreadyExistsException', 'InvalidObjectStateException', 'NoSuchBucketException', 'NoSuchKeyException'],
  secretsmanager: [
    'DecryptionFailureException',
    'InternalServiceErrorException',
    'InvalidParameterException',
    'InvalidRequestException',
    'LimitExceededException',
    'ResourceExistsException',
    'ResourceNotFoundException',
  ],
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
