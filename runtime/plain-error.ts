import { isOwnError } from '../core/text/failure-words';
import { framesOf } from '../core/text/stack-frames';
import { reasonOf } from './failure-reason';
import { type LogFields, log } from './log';

const messageCharacters = 400;
const mostFrames = 10;

/** What may be said of an error outside the function, in an execution's history or a run's reason: any other's may quote anything. */
export function publicWords(error: unknown): string {
  const own = (error ?? {}) as Partial<Error>;
  if (isOwnError(own)) return String(own.message).slice(0, messageCharacters);
  return `The platform failed (${nameOf(error)}); the function's log says more.`;
}

/**
 * An error as it may enter the execution's history: its name for `ErrorEquals`, words for people, no stack and no cause.
 * Where it came from goes to the function's log.
 */
export function plainError(error: unknown, fields: LogFields): Error {
  logFailure(error, fields);
  return withName(nameOf(error), publicWords(error));
}

export function withName(name: string, words: string): Error {
  const plain = new Error(words);
  plain.name = name;
  plain.stack = `${name}: see the log`;
  return plain;
}

/**
 * Logs that something failed: whose it was, why, and where. What was meant for the model, or comes of a step that is not wanted any
 * more, is no fault of the code: its place is not looked up.
 *
 * @param said what the code that failed was given: it is kept out of the log, see `reasonOf`.
 */
export function logFailure(error: unknown, fields: LogFields, said?: unknown): void {
  const name = nameOf(error);
  const told = { ...fields, error: name, reason: reasonOf(error, said) };
  if (name === 'Superseded') log.info('failed', told);
  else if (name === 'TellModel') log.warn('failed', told);
  else log.error('failed', { ...told, ...originOf(error) });
}

/** Where an error came from, without its message. */
export function originOf(error: unknown): LogFields {
  const { cause, stack, message } = (error ?? {}) as { cause?: unknown; stack?: unknown; message?: unknown };
  const { status, code } = (cause ?? {}) as { status?: unknown; code?: unknown };
  const frames = String(stack ?? '')
    .replace(String(message || '\n'), '\n')
    .split('\n')
    // A message that the engine wrote there before it was changed may have lines that begin with "at".
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

/** A name is a name, and no place to put words. */
const identifier = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Za-z_$][\w.$]{0,79}$/.test(value) ? value : undefined;
