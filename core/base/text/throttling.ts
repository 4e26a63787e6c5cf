/** The names that AWS gives to a request that it did not carry out for want of capacity. */
const names = new Set([
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestThrottledException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'EC2ThrottledException',
]);

/** Whether an AWS service has throttled a request, after the retries of its client. The request has had no effect. */
export function isThrottling(error: unknown): boolean {
  const { name = '', $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  return $metadata !== undefined && (names.has(name) || $metadata.httpStatusCode === 429);
}
