/**
 * Lets this process end with one line if nobody catches a ConfigurationError, until the returned function is called. Node would print
 * a stack, which leads to the code that found the mistake and not to the mistake. Other errors keep theirs. A process that handles
 * uncaught errors itself is left alone.
 */
export function endInOneLine(): () => void {
  if (process.listenerCount('uncaughtException') > 0) return () => undefined;
  process.on('uncaughtException', printAndEnd);
  return () => void process.off('uncaughtException', printAndEnd);
}

/** Prints an error: a ConfigurationError as one line, others with their stack. */
export function printFailure(error: unknown): void {
  const { name, message } = error as Partial<Error>;
  console.error(name === 'ConfigurationError' ? `${name}: ${message}` : error);
}

function printAndEnd(error: unknown): void {
  printFailure(error);
  process.exit(1);
}
