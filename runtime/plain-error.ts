import { clip } from '../core/base/text/clip';
import { isOwnError, platformWords } from '../core/base/text/failure-words';
import { framesOf } from '../core/base/text/stack-frames';
import { isThrottling } from '../core/base/text/throttling';
import { reasonOf } from './failure-reason';
import { type LogFields, log } from './log';

const messageCharacters = 400;
const mostFrames = 10;

/** Returns the text for an execution's history or a run's reason. Errors other than Vigil's may quote anything, so only their name is given. */
export function publicWords(error: unknown): string {
  const own = (error ?? {}) as Partial<Error>;
  if (isThrottling(error)) return 'AWS has no capacity for this at the moment.';
  if (isOwnError(own)) return clip(String(own.message), { characters: messageCharacters });
  return platformWords(nameOf(error));
}

/**
 * Returns an error for the execution's history: its name for `ErrorEquals` and a message for people, without stack and cause.
 * The function's log gets its origin.
 */
export function plainError(error: unknown, fields: LogFields = {}): Error {
  logFailure(error, fields);
  return withName(isThrottling(error) ? 'Throttled' : nameOf(error), publicWords(error));
}

export function withName(name: string, words: string): Error {
  const plain = new Error(words);
  plain.name = name;
  plain.stack = `${name}: see the log`;
  return plain;
}

/**
 * Logs a failure: what failed, why and where. `TellModel`, `Throttled` and `Superseded` are not faults of the code, so their origin is left out.
 *
 * @param said the failed code's input, which is kept out of the log. See `reasonOf`.
 */
export function logFailure(error: unknown, fields: LogFields, said?: unknown): void {
  const name = nameOf(error);
  const failure = { ...fields, error: name, reason: reasonOf(error, said) };
  if (name === 'Superseded') log.info('failed', failure);
  else if (name === 'TellModel' || name === 'Throttled') log.warn('failed', failure);
  else log.error('failed', { ...failure, ...originOf(error) });
}

type Origin = { cause?: string; causeStatus?: number; causeCode?: string | number; frames: string };

/** Returns where an error came from, without its message. */
export function originOf(error: unknown): Origin {
  const { cause, stack, message } = (error ?? {}) as { cause?: unknown; stack?: unknown; message?: unknown };
  const { status, code } = (cause ?? {}) as { status?: unknown; code?: unknown };
  const frames = String(stack ?? '')
    .replace(String(message || '\n'), '\n')
    .split('\n')
    // The stack may still contain an earlier message with lines that begin with "at".
    .filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line))
    .join('\n');
  return {
    cause: cause === undefined ? undefined : nameOf(cause),
    causeStatus: typeof status === 'number' ? status : undefined,
    causeCode: typeof code === 'number' ? code : identifier(code),
    frames: framesOf(frames).slice(0, mostFrames).join('\n'),
  };
}

const nameOf = (error: unknown): string => identifier((error as Partial<Error> | null | undefined)?.name) ?? 'Error';

/** Returns the value if it is an identifier, and cannot contain a sentence. */
const identifier = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_$][\w.$]{0,79}$/.test(value) ? value : undefined;
