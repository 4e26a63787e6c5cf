/** What a state's catcher caught, in words. A Lambda's cause is JSON with the error's message inside. */
export function errorWords({ Error: name, Cause: cause = '' }: { Error: string; Cause?: string }): string {
  if (name === 'States.Timeout' || name === 'Sandbox.Timedout')
    return 'It took too long and was stopped, several times.';
  let message = cause;
  try {
    message = String((JSON.parse(cause) as { errorMessage?: unknown }).errorMessage ?? cause);
  } catch {
    // Not every cause is JSON.
  }
  return (message || name).slice(0, 500);
}
