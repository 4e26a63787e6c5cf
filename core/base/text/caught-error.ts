import { clip } from './clip';
import { isOwnError, platformWords } from './failure-words';

/** The reason why Lambda has not run a function, by the name of its error. */
const notInvoked = new Map(
  Object.entries({
    'Lambda.TooManyRequestsException': 'AWS had no capacity for its function, for hours.',
    'Lambda.ResourceNotFoundException': 'Its function is not part of this deployment.',
    'Lambda.AWSLambdaException': 'Its function could not be invoked.',
  }),
);

/** Describes the error that a state's catcher caught. The cause of a Lambda function is JSON that contains the error's message. */
export function errorWords({ Error: name, Cause: cause = '' }: { Error: string; Cause?: string }): string {
  if (name === 'States.Timeout' || name === 'Sandbox.Timedout') return 'It timed out repeatedly.';
  // Lambda's own words name the function by its ARN, which has the number of the account.
  const refused = notInvoked.get(name);
  if (refused) return refused;
  let message = cause;
  try {
    const { errorMessage: said = cause } = JSON.parse(cause) as { errorMessage?: unknown };
    message = typeof said === 'string' ? said : JSON.stringify(said);
  } catch {
    // Not every cause is JSON.
  }
  const words = crashWords(message);
  if (words) return words;
  // A function that could not start reports whatever its code has thrown.
  const isTold = !message || isOwnError({ name }) || name.startsWith('States.');
  return isTold ? clip(message || name, { characters: 500 }) : platformWords(name);
}

/** Lambda's words for a process that did not answer, in plain ones. They begin with the request's id, which says nothing to people. */
function crashWords(message: string): string | undefined {
  if (/signal: killed|OutOfMemory/.test(message))
    return 'Its process was stopped while it worked, perhaps for lack of memory. Try again; if it happens again, the function needs more memory.';
  if (/Task timed out after/.test(message)) return 'It timed out repeatedly.';
  if (/^(?:RequestId: \S+ )?(?:Error: )?Runtime(?:\.\w+| exited)/.test(message))
    return 'Its process ended while it worked. Try again; if it happens again, the function’s log says why.';
  return undefined;
}
