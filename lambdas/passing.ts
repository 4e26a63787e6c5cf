import { isThrottling } from '../core/base/text/throttling';

/** Errors after which the same work may succeed later, besides a service's failures. All others are hopeless. */
const passing = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttled',
  'TooManyRequestsException',
  'InternalServerError',
  'ServiceUnavailable',
  'LambdaUnavailable',
  // Other writes were first.
  'ConversationBusy',
  'RowConflict',
  'ConditionalCheckFailedException',
  'TransactionConflictException',
  'TransactionCanceledException',
  'TransactionInProgressException',
  'IdempotentParameterMismatchException',
  // Time and the network.

  'TimeoutError',
  'AbortError',
  'NetworkingError',
  'RequestTimeout',
  'RequestTimeoutException',
  'RequestAbortedException',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  // The account or the deployment: somebody mends it for all records.
  'ExecutionLimitExceeded',
  'StateMachineDoesNotExist',
  'StateMachineDeleting',
  'ResourceNotFoundException',
  'AccessDeniedException',
  'KmsAccessDeniedException',
  'KmsThrottlingException',
  'KmsInvalidStateException',
  'CredentialsProviderError',
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
]);

/** Whether an error passes, so that the same work is to be tried again. */
export function isPassing(error: unknown): boolean {
  const {
    name = '',
    code = '',
    $fault,
    $metadata,
  } = error as Error & {
    code?: string;
    $fault?: string;
    $metadata?: { httpStatusCode?: number };
  };
  if (passing.has(name) || passing.has(code) || isThrottling(error)) return true;
  return $fault === 'server' || Number($metadata?.httpStatusCode) >= 500;
}
