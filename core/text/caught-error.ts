/** Describes the error that a state's catcher caught. The cause of a Lambda function is JSON that contains the error's message. */
export function errorWords({ Error: name, Cause: cause = '' }: { Error: string; Cause?: string }): string {
  if (name === 'States.Timeout' || name === 'Sandbox.Timedout') return 'It timed out repeatedly.';
  let message = cause;
  try {
    message = String((JSON.parse(cause) as { errorMessage?: unknown }).errorMessage ?? cause);
  } catch {
    // Not every cause is JSON.
  }
  return (message || name).slice(0, 500);
}
